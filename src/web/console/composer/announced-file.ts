// Whether a text says that a file comes with it. In every language of the console: agents answer in their customers' ones too.

const words = [
  /\b(?:attach(?:ed|ing|ments?)|enclosed)\b/i,
  /\b(?:bijlagen?|bijgevoegde?|bijgesloten)\b/i,
  /\b(?:anhang|angeh(?:ä|ae)ngt\w*|anbei|beigef(?:ü|ue)gt\w*)\b/i,
  /\bci-jointe?s?\b|\bpi(?:è|e)ces? jointes?\b/i,
  /\badjunt(?:[ao]s?|ad[ao]s?|amos)\b/i,
];

/** Quoted lines are not the agent's. */
export function announcesFile(text: string): boolean {
  const own = text.replace(/^[ \t]*>.*$/gm, '');
  return words.some((one) => one.test(own));
}

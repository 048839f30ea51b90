// Plain words and few comments: words that this project avoids, and the share of comment lines.

const avoided: readonly [RegExp, string][] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bwh(?:oever|omever)\b/i, 'name the person or thing'],
  [/\banew\b/i, 'again'],
  [/\bnobody\b(?!@)/i, 'no one, or name what does not happen'],
  [/\b(?:some|every|any)body\b(?!@)/i, 'someone, everyone, anyone, or a passive'],
  [/\b(?:is|are|was|were|be|waits?|exists?) no more\b/i, 'no longer'],
  [/(?<!may or )\bmay not\b/i, 'cannot, must not or might not'],
  [/\blook(?:s|ed|ing)? whether\b/i, 'check'],
  [/\b(?:of|for|in) (?:\w+ ){1,2}alone\b/i, 'only'],
  [/\banswers (?:how|whether)\b/i, 'returns'],
  [/\b(?:lets?|letting) go of\b/i, 'releases, closes or drops'],
  [/\bin its stead\b|\bthere(?:of|upon|with)\b|\bwhere(?:upon|with)\b|\bhenceforth\b/i, 'a common word'],
  [/\boperators?\b(?=.{0,30}\b(?:runs?|restarts?|reads?|sees?|has to)\b)/i, 'name the person: administrator'],
];

/** The uses of avoided words, in identifiers too, as `path:line: word (better: …)`. */
export function avoidedWords(path: string, text: string): string[] {
  const found: string[] = [];
  text.split('\n').forEach((line, index) => {
    const words = line.replace(/([a-z])([A-Z])/g, '$1 $2');
    for (const [pattern, better] of avoided) {
      const match = pattern.exec(words);
      if (match) found.push(`${path}:${index + 1}: ${match[0]} (better: ${better})`);
    }
  });
  return found;
}

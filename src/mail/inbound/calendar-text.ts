// Turns a calendar invitation into text, for mail with no other text.

const told: Readonly<Record<string, string>> = {
  METHOD: 'Method',
  SUMMARY: 'Summary',
  DTSTART: 'Starts',
  DTEND: 'Ends',
  LOCATION: 'Place',
  ORGANIZER: 'Organizer',
  ATTENDEE: 'Attendee',
  COMMENT: 'Comment',
  DESCRIPTION: 'Description',
};
const mostLines = 50;

export function calendarText(calendar: string): string {
  const unfolded = calendar.replace(/\r?\n[ \t]/g, '').split(/\r?\n/, 2000);
  const lines = unfolded.flatMap((line) => {
    const colon = endOfName(line);
    const word = told[(line.split(/[;:]/, 1)[0] ?? '').toUpperCase()];
    return word === undefined || colon === -1 ? [] : [`${word}: ${unescaped(line.slice(colon + 1))}${zoneOf(line)}`];
  });
  return lines.length === 0 ? calendar : lines.slice(0, mostLines).join('\n');
}

function endOfName(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ':' && !isQuoted) return at;
  }
  return -1;
}

function unescaped(value: string): string {
  return value
    .replace(/^mailto:/i, '')
    .replace(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/, (_all, year, month, day, hour, minute, isUtc) =>
      [`${year}-${month}-${day}`, hour && `${hour}:${minute}`, isUtc && 'UTC'].filter(Boolean).join(' '),
    )
    .replace(/\\([nN,;\\])/g, (_all, letter: string) => (letter.toLowerCase() === 'n' ? '\n' : letter));
}

function zoneOf(line: string): string {
  const zone = /^DT(?:START|END);(?:[^:]*;)?TZID="?([^;:"]{1,100})/i.exec(line)?.[1];
  return zone === undefined ? '' : ` ${zone}`;
}

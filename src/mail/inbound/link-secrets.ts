// Replies quote the desk's mails, and with them the recipient's link. What is stored has the link without its secret
// (docs/customers.md#links-that-replies-quote).

import type { InboundMessage, MailAddress } from './message.ts';

// Secrets of links, of links that rate, and access tokens, 43 characters each. Mail programs break long lines also within a link, and quote what follows;
// link scanners write some characters otherwise.
const written = (gap: string, letters: string) =>
  new RegExp(`h${gap}d${gap}[alr]${gap}(?:_|\\uff3f|\\xef\\xbc\\xbf|-5F|\\+AF8-)${letters}`, 'gi');
const lineBreak = '(?:=?\\r?\\n[ \\t>]{0,20})?';
const secret = written(lineBreak, `(?:${lineBreak}(?:-(?:2D|5F)|[\\w-])){20,43}`);
/** The same with blanks or empty lines in it. Only the mix of its letters tells it from prose such as "hdr_size is wrong". */
const spaced = written('[\\s>]{0,20}', '(?:[\\s>]{0,20}[\\w-]){43}');
const isRandom = (letters: string) =>
  /^[^_]*_\S*[A-Z]/.test(letters) && [/[A-Z]/g, /[a-z]/g].every((kind) => (letters.match(kind)?.length ?? 0) > 5);
/** A parameter in Base64, as some link scanners carry the address. */
const parameter = /(?<=[=?&])[\w+/-]{60,}/g;

function secretsIn(plain: string): (readonly [number, number])[] {
  return [
    ...plain.matchAll(secret),
    ...[...plain.matchAll(spaced)].filter(([letters]) => isRandom(letters)),
    ...[...plain.matchAll(parameter)].filter(([letters]) => {
      const address = Buffer.from(letters, 'base64').toString('latin1');
      return withoutLinkSecrets(address) !== address;
    }),
  ].map(({ 0: { length }, index }) => [index, index + length]);
}

const removed = 'removed';

// Soft hyphens, spaces without width, marks of direction; also as the bytes of UTF-8 in a source that is read byte by byte.
const invisible =
  '[\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff]|\\xc2\\xad|\\xe2\\x80[\\x8b-\\x8f\\xaa-\\xae]|\\xe2\\x81[\\xa0-\\xa4]|\\xef\\xbb\\xbf';
const named: Readonly<Record<string, string>> = {
  lowbar: '_',
  underbar: '_',
  num: '#',
  percnt: '%',
  amp: '&',
  tab: '',
  newline: '',
};
const entity = `&(?:#0*(\\d{1,7})|#x0*([0-9a-f]{1,6})|(${Object.keys(named).join('|')}|shy|zwj|zwnj|lrm|rlm|zerowidthspace|nobreak));?`;
const other = `${entity}|[%=]([0-9a-f]{2})|=\\r?\\n|${invisible}`;
const inText = new RegExp(other, 'gi');
/** Tags too: in HTML they may stand between two letters of a link. */
const betweenTags = new RegExp(`<[^<>]*>|${other}`, 'gi');
const isInvisible = new RegExp(`^(?:${invisible})$`);

/** A text in which some characters are written otherwise, or stand between others without being seen. */
interface Decoded {
  plain: string;
  /** Where these characters begin and end in the text itself. */
  rangeOf(start: number, end: number): readonly [number, number];
}

function decodedBy(pattern: RegExp, text: string): Decoded {
  const plain = text.replace(pattern, (_, decimal, hex, name, byte) => characterOf(decimal, hex, name, byte));
  let range: Decoded['rangeOf'] | null = null;
  // Few texts have a secret, and only those need to know what stood where.
  const rangeOf: Decoded['rangeOf'] = (start, end) => {
    range ??= rangesOf(pattern, text);
    return range(start, end);
  };
  return { plain, rangeOf };
}

function rangesOf(pattern: RegExp, text: string): Decoded['rangeOf'] {
  const tokens: { at: number; plainEnd: number; end: number }[] = [];
  let shorter = 0;
  for (const { 0: whole, 1: decimal, 2: hex, 3: name, 4: byte, index } of text.matchAll(pattern)) {
    const { length } = characterOf(decimal, hex, name, byte);
    const at = index - shorter;
    shorter += whole.length - length;
    tokens.push({ at, plainEnd: at + length, end: index + whole.length });
  }
  const startOf = (index: number) => {
    let [low, high] = [0, tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tokens[middle]?.plainEnd ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    const { plainEnd, end } = tokens[low - 1] ?? { plainEnd: 0, end: 0 };
    return { place: end + index - plainEnd, next: tokens[low] };
  };
  return (start, end) => {
    const { place, next } = startOf(end - 1);
    return [startOf(start).place, next?.at === end - 1 ? next.end : place + 1];
  };
}

function characterOf(decimal?: string, hex?: string, name?: string, byte?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? '';
  const code = decimal ?? hex ?? byte;
  if (code === undefined) return '';
  const character = String.fromCharCode(Number.parseInt(code, decimal === undefined ? 16 : 10));
  // Of several bytes, the next layer sees what they are together.
  return byte === undefined && isInvisible.test(character) ? '' : character;
}

/** Scanners encode what another one has encoded. */
const mostLayers = 4;

/** Also where letters of a secret are written as entities or with percent signs, or have invisible characters between them. */
export function withoutLinkSecrets(text: string, pattern = inText): string {
  const ranges: (readonly [number, number])[] = [];
  const layers: Decoded[] = [];
  for (let plain = text; ; ) {
    for (const range of secretsIn(plain))
      ranges.push(layers.reduceRight((at, layer) => layer.rangeOf(at[0], at[1]), range));
    const next = decodedBy(pattern, plain);
    if (layers.length === mostLayers || next.plain === plain) break;
    layers.push(next);
    plain = next.plain;
  }
  let [clean, from] = ['', 0];
  for (const [start, end] of ranges.sort(([one], [other]) => one - other)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    const tags = pattern === betweenTags ? (text.slice(begin, end).match(/<[^<>]*>/g) ?? []).join('') : '';
    clean += text.slice(from, begin) + (start < from ? '' : removed) + tags;
    from = end;
  }
  return clean + text.slice(from);
}

/** In attributes, in the text, and where tags stand between the letters. */
export const htmlWithoutLinkSecrets = (html: string) => withoutLinkSecrets(withoutLinkSecrets(html), betweenTags);

type Written = Pick<
  InboundMessage,
  'from' | 'replyTo' | 'repliesTo' | 'originalFrom' | 'to' | 'cc' | 'subject' | 'text' | 'html' | 'embedded'
>;

const withCleanName = (person: MailAddress): MailAddress => ({ ...person, name: withoutLinkSecrets(person.name) });

export function forgetLinkSecrets<Message extends Written>(message: Message): Message {
  const clean = (text: string | null) => (text === null ? null : withoutLinkSecrets(text));
  return {
    ...message,
    from: message.from && withCleanName(message.from),
    replyTo: message.replyTo && withCleanName(message.replyTo),
    repliesTo: message.repliesTo.map(withCleanName),
    originalFrom: message.originalFrom.map(withCleanName),
    to: message.to.map(withCleanName),
    cc: message.cc.map(withCleanName),
    subject: withoutLinkSecrets(message.subject),
    text: clean(message.text),
    html: message.html === null ? null : htmlWithoutLinkSecrets(message.html),
    embedded: message.embedded.map((one) => ({
      ...one,
      from: one.from && withCleanName(one.from),
      to: one.to.map(withCleanName),
      subject: withoutLinkSecrets(one.subject),
      text: clean(one.text),
      html: one.html === null ? null : htmlWithoutLinkSecrets(one.html),
    })),
  };
}

/** In two steps: for one expression, V8 keeps a way back for each letter, which overflows on a file in one line. */
function isBase64(line: string): boolean {
  const foreign = line.search(/[^A-Za-z0-9+/]/);
  const end = foreign === -1 ? line.length : foreign;
  return end >= 4 && /^={0,2}\r?$/.test(line.slice(end));
}

const deepest = 3;

/** The same for the source of a message, also inside of what is written in Base64. */
export function sourceWithoutLinkSecrets(source: Uint8Array): Buffer {
  // As bytes: the source can have several character sets.
  return Buffer.from(cleanSource(Buffer.from(source).toString('latin1'), 0), 'latin1');
}

function cleanSource(source: string, depth: number): string {
  const kept: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    if (run.length > 0) kept.push(cleanRun(run, depth).join('\n'));
    run = [];
  };
  for (const line of htmlWithoutLinkSecrets(source).split('\n')) {
    if (isBase64(line)) run.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  return kept.join('\n');
}

function cleanRun(lines: string[], depth: number): string[] {
  const decoded = Buffer.from(lines.join(''), 'base64').toString('latin1');
  // UTF-16 has a zero in each letter.
  const isWide = decoded.replaceAll('\0', '').search(secret) !== -1 && decoded.search(secret) === -1;
  const clean = isWide ? removed : depth < deepest ? cleanSource(decoded, depth + 1) : htmlWithoutLinkSecrets(decoded);
  if (clean === decoded) return lines;
  const end = lines[0]?.endsWith('\r') ? '\r' : '';
  const encoded = Buffer.from(clean, 'latin1').toString('base64');
  return (encoded.match(/.{1,76}/g) ?? []).map((line) => line + end);
}

// The words of Rich Text, as Outlook puts it into winmail.dat: unpacked (MS-OXRTFCP) and without its formats.

import { charsetOfCodepage, decodeText } from './charset.ts';

/** Each packed text begins as if this stood before it. */
const beginning =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const dictionaryBytes = 4096;
const headerBytes = 16;
const packed = 0x75465a4c;
const plain = 0x414c454d;

/** A byte to a character, at most `most` of them; null for what is not packed in this way. */
export function unpackRtf(file: Buffer, most: number): string | null {
  if (file.length < headerBytes) return null;
  const kind = file.readUInt32LE(8);
  if (kind === plain) return file.toString('latin1', headerBytes, Math.min(file.length, headerBytes + most));
  if (kind !== packed) return null;
  const dictionary = Buffer.alloc(dictionaryBytes);
  let write = dictionary.write(beginning, 'latin1');
  const out = Buffer.alloc(Math.min(most, file.readUInt32LE(4)));
  let length = 0;
  const put = (byte: number) => {
    out[length++] = byte;
    dictionary[write] = byte;
    write = (write + 1) % dictionaryBytes;
  };
  let at = headerBytes;
  while (at < file.length && length < out.length) {
    const flags = file[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < file.length && length < out.length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        put(file[at++] ?? 0);
        continue;
      }
      const reference = ((file[at] ?? 0) << 8) | (file[at + 1] ?? 0);
      at += 2;
      const from = reference >> 4;
      // It refers to where the next byte will stand: the end.
      if (from === write) return out.toString('latin1', 0, length);
      const count = (reference & 15) + 2;
      for (let index = 0; index < count && length < out.length; index++)
        put(dictionary[(from + index) % dictionaryBytes] ?? 0);
    }
  }
  return out.toString('latin1', 0, length);
}

const tokens = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi;
const hidden =
  /^(fonttbl|colortbl|stylesheet|info|pict|object|header[lrf]?|footer[lrf]?|generator|themedata|xmlnstbl|listtable|listoverridetable|rsidtbl)$/;
const signs: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  row: '\n',
  sect: '\n',
  page: '\n',
  cell: '\t',
  tab: '\t',
  emdash: '\u2014',
  endash: '\u2013',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
  bullet: '\u2022',
};

interface Group {
  isHidden: boolean;
  /** How many characters stand in for one that old readers do not know. */
  standIns: number;
}

const deepest = 500;

export function textOfRtf(rtf: string): string {
  const groups: Group[] = [{ isHidden: false, standIns: 1 }];
  let depth = 0;
  let skip = 0;
  let charset = 'windows-1252';
  let bytes: number[] = [];
  const out: string[] = [];
  const group = () => groups[Math.min(depth, groups.length - 1)] ?? { isHidden: true, standIns: 1 };
  const flush = () => {
    if (bytes.length > 0)
      out.push(decodeText(Uint8Array.from(bytes), charset, false) ?? Buffer.from(bytes).toString('latin1'));
    bytes = [];
  };
  const say = (text: string) => {
    if (group().isHidden) return;
    flush();
    out.push(text);
  };
  for (const [, word, number, hex, symbol, brace, plainText] of rtf.matchAll(tokens)) {
    if (brace === '{') {
      depth += 1;
      if (depth <= deepest) groups.push({ ...group() });
    } else if (brace === '}') {
      if (depth <= deepest && groups.length > 1) groups.pop();
      depth = Math.max(0, depth - 1);
    } else if (hex !== undefined) {
      if (skip > 0) skip -= 1;
      else if (!group().isHidden) bytes.push(Number.parseInt(hex, 16));
    } else if (symbol !== undefined) {
      if (symbol === '*') group().isHidden = true;
      else if (symbol === '~') say('\u00a0');
      else if (/[\\{}]/.test(symbol)) say(symbol);
      else if (/[\r\n]/.test(symbol)) say('\n');
    } else if (plainText !== undefined) {
      // A letter's second byte may stand as it is.
      if (!group().isHidden) for (let at = skip; at < plainText.length; at++) bytes.push(plainText.charCodeAt(at));
      skip = Math.max(0, skip - plainText.length);
    } else if (word !== undefined) {
      const value = number === undefined ? null : Number(number);
      if (hidden.test(word)) group().isHidden = true;
      else if (word === 'uc') group().standIns = Math.min(value ?? 1, 10);
      else if (word === 'ansicpg' && value !== null) charset = charsetOfCodepage(value);
      else if (word === 'u' && value !== null) {
        say(String.fromCharCode(value & 0xffff));
        skip = group().standIns;
      } else if (signs[word] !== undefined) say(signs[word]);
    }
  }
  flush();
  return out
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

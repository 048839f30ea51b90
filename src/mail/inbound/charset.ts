// Decodes texts with a missing or wrong charset: UTF-8, else what the HTML declares, else Windows-1252. Escapes tell more.
import { isAscii, isUtf8 } from 'node:buffer';
import { textInSevenBits } from './seven-bits.ts';

/** These labels say nothing about non-ASCII bytes; the parser reads them all as UTF-8. */
const vague = /^(utf-?8|(us-)?ascii|unknown(-8bit)?|x-unknown|x-user-defined|8bit|default)?$/i;

type Label = { charset: string | null; contentType: string };

function isVague({ charset }: Label): boolean {
  return vague.test(charset?.trim() ?? '');
}

/** In UTF-8; null when the parser reads it as it is. */
export function readable(bytes: Buffer, label: Label): Buffer | null {
  const utf8 = isVague(label) ? asUtf8(bytes, label) : null;
  const text = utf8 ?? bytes;
  // With a label that says more, other bytes are letters of that.
  if (!mayShift(text) || !(isVague(label) || isAscii(text))) return utf8;
  const words = textInSevenBits(text.toString('utf8'), label.charset);
  return words === null ? utf8 : Buffer.from(words);
}

const escapeByte = 0x1b;
const shiftOut = 0x0e;

const mayShift = (bytes: Buffer) => bytes.includes(escapeByte) || bytes.includes(shiftOut) || bytes.includes('~{');

/** Null when the text is UTF-8. A few broken characters within UTF-8 stay. */
function asUtf8(bytes: Buffer, label: Label): Buffer | null {
  if (isUtf8(bytes)) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for a character beyond ASCII that is sound
  if (/[^\x00-\x7f\ufffd]/.test(bytes.toString('utf8'))) return null;
  const told = label.contentType === 'text/html' ? charsetInHtml(bytes) : null;
  return Buffer.from(
    decodeText(bytes, told ?? 'windows-1252', false) ?? new TextDecoder('windows-1252').decode(bytes),
    'utf8',
  );
}

function charsetInHtml(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, Math.min(bytes.length, 4096));
  return /<meta\s[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w.:-]{1,40})/i.exec(head)?.[1] ?? null;
}

export function decodeText(bytes: Uint8Array, charset: string, isFatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal: isFatal }).decode(bytes);
  } catch {
    return null;
  }
}

const codepages: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20866: 'koi8-r',
  28592: 'iso-8859-2',
  28605: 'iso-8859-15',
  65001: 'utf-8',
};

/** Of a code page of Windows; of one that is not known, the most frequent. */
export function charsetOfCodepage(codepage: number): string {
  return codepages[codepage] ?? (codepage >= 1250 && codepage <= 1258 ? `windows-${codepage}` : 'windows-1252');
}

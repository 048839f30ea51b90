// The types of attachments: what a name promises, and whether the content is that.

import { open, readFile } from 'node:fs/promises';
import { truncate } from '../domain/text.ts';
import { extensionOf } from '../domain/tickets/files.ts';

const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
};
// An old Word file is a compound file, and so are other Office formats.
const sniffed: Record<string, readonly string[]> = {
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  png: ['image/png', 'image/apng'],
  gif: ['image/gif'],
  webp: ['image/webp'],
  pdf: ['application/pdf'],
  doc: ['application/x-cfb'],
  docx: [contentTypes.docx ?? ''],
};

const longestName = 200;

export function cleanFilename(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = withoutDots(last.replace(/[\p{C}<>:"|?*]+/gu, ''));
  if (Array.from(plain).length <= longestName) return plain;
  const dot = plain.lastIndexOf('.');
  const extension = dot > 0 ? truncate(plain.slice(dot), 24) : '';
  return truncate(plain, longestName - extension.length) + extension;
}

/** A regular expression for the end takes quadratic time on long runs. */
function withoutDots(name: string): string {
  const from = name.search(/[^.\s]/);
  if (from === -1) return '';
  let end = name.length;
  while (/[.\s]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(from, end);
}

/** Of a file whose content is not known to be anything else: browsers save it and never show it. */
export const anyType = 'application/octet-stream';

export function promisedType(filename: string): string | undefined {
  return contentTypes[extensionOf(filename)];
}

const controls = /(?!\s)\p{Cc}/u;

const sliceBytes = 256 * 1024;

/** In slices, so that a long text holds up nothing else. */
async function decodes(bytes: Uint8Array, encoding: string): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      const text = decoder.decode(bytes.subarray(at, at + sliceBytes), { stream: true });
      if (controls.test(text)) return false;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return !controls.test(decoder.decode());
  } catch {
    return false;
  }
}

/** The library mistakes plain words ("BMW", "solid") for file signatures, so valid UTF-8 is text, except a PDF. */
async function isPlainText(bytes: Uint8Array, mime: string | undefined): Promise<boolean> {
  if (mime === 'application/pdf') return false;
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodes(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decodes(bytes, 'utf-16be');
  if (await decodes(bytes, 'utf-8')) return true;
  // Any older encoding has no NUL. Whatever the file is, it is sent as a download.
  return mime === undefined && !bytes.includes(0);
}

/** Readers of PDFs pass over blank lines before it. */
const pdfBehindBlanks = /^(?:\xef\xbb\xbf)?[\0\s]{1,1000}%PDF-/;

async function typeByContent(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  if (found !== undefined) return found.mime;
  return pdfBehindBlanks.test(Buffer.from(bytes.subarray(0, 1024)).toString('latin1')) ? 'application/pdf' : undefined;
}

/** By the type of the content: what such a file is called, and other names that promise it rightly. */
const endings: Readonly<Record<string, { ending: string; others: readonly string[] }>> = {
  'image/jpeg': { ending: 'jpg', others: ['jpeg'] },
  'image/png': { ending: 'png', others: [] },
  'image/apng': { ending: 'png', others: ['apng'] },
  'image/gif': { ending: 'gif', others: [] },
  'image/webp': { ending: 'webp', others: [] },
  'application/pdf': { ending: 'pdf', others: ['ai'] },
  'application/rtf': { ending: 'rtf', others: [] },
  [contentTypes.docx ?? '']: { ending: 'docx', others: [] },
};
/** What a wrong ending is taken for one of. Anything else behind a dot may be part of the name. */
const replaced: readonly string[] =
  'jpg jpeg jpe jfif jfi jif pjpeg pjp png apng gif webp bmp tif tiff heic heif avif ico pdf doc docx rtf txt bin dat tmp'.split(
    ' ',
  );

/** The name with the ending of what the file is, when that is a picture or a document that people send. */
export async function namedByContent(bytes: Uint8Array, filename: string): Promise<string> {
  const named = endings[(await typeByContent(bytes)) ?? ''];
  const extension = extensionOf(filename);
  if (named === undefined || [named.ending, ...named.others].includes(extension)) return filename;
  // Words that begin like the signature of a file.
  if (extension === 'txt' && (await sniffContentType(bytes, filename)) !== null) return filename;
  const stem = replaced.includes(extension) ? filename.slice(0, -extension.length - 1) : filename;
  return `${truncate(stem, longestName - named.ending.length - 1)}.${named.ending}`;
}

/** `content` is the bytes or a path. Null when it is not what the name promises; a name that promises nothing is `anyType`. */
export async function sniffContentType(content: string | Uint8Array, filename: string): Promise<string | null> {
  const extension = extensionOf(filename);
  const promised = promisedType(filename);
  if (promised === undefined) return anyType;
  // The library loads its own file reader in a way that a compiled executable cannot follow.
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  const found = await typeByContent(bytes);
  const fits =
    extension === 'txt' ? await isPlainText(bytes, found) : (sniffed[extension]?.includes(found ?? '') ?? false);
  return fits ? promised : null;
}

// A DOS and PE header; one of 64-bit ELF has as many bytes.
const headBytes = 64;
// ELF; Mach-O of either width and byte order; Mach-O for several processors, and Java classes.
const magics = [0x7f454c46, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xcafebabf];
const shebang = /^#![ \t]*\//;
// A header says where the program begins, in four bytes; no file is so large that the highest is more. No text has such bytes.
const highestPlaceByte = 8;

/** The ending under which a site refuses what systems would run, whatever its name; null for everything else. */
export async function programEnding(content: string | Uint8Array): Promise<'exe' | 'sh' | null> {
  const head = typeof content === 'string' ? await headOf(content) : Buffer.from(content.subarray(0, headBytes));
  const text = head.toString('latin1');
  if (shebang.test(text)) return 'sh';
  if (text.startsWith('MZ') && head.length === headBytes && head.some((byte) => byte <= highestPlaceByte)) return 'exe';
  return head.length >= 4 && magics.includes(head.readUInt32BE(0)) ? 'exe' : null;
}

async function headOf(path: string): Promise<Buffer> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
}

// What a file may be: an allowed name whose content is what the name says (docs/spec/api.md#attachments).

import { readFile } from 'node:fs/promises';
import { type DeskError, invalid } from '../domain/errors.ts';
import { truncate } from '../domain/text.ts';

export const allowedExtensions = ['jpg', 'jpeg', 'png', 'gif', 'pdf', 'doc', 'docx', 'txt'] as const;
export const maxAttachmentBytes = 10 * 1024 * 1024;

const contentTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  txt: 'text/plain',
};
// What the content must look like; an old Word file is a compound file, of which Word's is one kind.
const sniffed: Record<string, readonly string[]> = {
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  png: ['image/png', 'image/apng'],
  gif: ['image/gif'],
  pdf: ['application/pdf'],
  doc: ['application/x-cfb'],
  docx: [contentTypes.docx ?? ''],
};

/** A file name fit to be shown and sent: the last part of a path, one line, no characters that file systems or headers reserve. */
export function cleanFilename(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = withoutDots(last.replace(/[\p{C}<>:"|?*]+/gu, ''));
  if (Array.from(plain).length <= 200) return plain;
  const dot = plain.lastIndexOf('.');
  const extension = dot > 0 ? truncate(plain.slice(dot), 16) : '';
  return truncate(plain, 200 - extension.length) + extension;
}

/** Without dots and spaces at either end. An expression for the end takes the square of the length of a run of them. */
function withoutDots(name: string): string {
  const from = name.search(/[^.\s]/);
  if (from === -1) return '';
  let end = name.length;
  while (/[.\s]/.test(name.charAt(end - 1))) end -= 1;
  return name.slice(from, end);
}

export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot < 1 ? '' : filename.slice(dot + 1).toLowerCase();
}

/** What a file of this name is sent as. */
export function contentTypeOf(filename: string): string {
  return contentTypes[extensionOf(filename)] ?? 'application/octet-stream';
}

/** Refuses by the name alone, before a byte is stored. */
export function requireAllowedName(filename: string): void {
  if (!(allowedExtensions as readonly string[]).includes(extensionOf(filename))) {
    throw fileError(`must be of the kinds ${allowedExtensions.join(', ')}.`);
  }
}

export function fileError(message: string): DeskError {
  return invalid('file', message);
}

// Control characters that are no kind of space.
const controls = /(?!\s)\p{Cc}/u;

function decodes(bytes: Uint8Array, encoding: string): boolean {
  try {
    return !controls.test(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}

/**
 * Whether bytes are what a file ending in .txt may hold. Formats are told by their first bytes, and plain words begin with
 * some of them ("BMW", "solid"), so that whole UTF-8 is text whatever the library takes it for; a PDF is not.
 */
function isPlainText(bytes: Uint8Array, mime: string | undefined): boolean {
  if (mime === 'application/pdf') return false;
  const [first, second] = bytes;
  // What Windows writes as "Unicode".
  if (first === 0xff && second === 0xfe) return decodes(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decodes(bytes, 'utf-16be');
  if (decodes(bytes, 'utf-8')) return true;
  // Text of any older encoding holds no NUL; whatever else it is, it is sent as a download.
  return mime === undefined && !bytes.includes(0);
}

/**
 * The content type of a file, when its name and its content agree; `invalid` when they do not.
 * @param content the bytes, or the path under which they are stored
 */
export async function sniffContentType(content: string | Uint8Array, filename: string): Promise<string> {
  const extension = extensionOf(filename);
  requireAllowedName(filename);
  const { fileTypeFromBuffer } = await import('file-type');
  // From memory: the library's own file reader is loaded in a way that a single executable cannot follow.
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  const found = await fileTypeFromBuffer(bytes);
  const fits =
    extension === 'txt' ? isPlainText(bytes, found?.mime) : (sniffed[extension]?.includes(found?.mime ?? '') ?? false);
  if (!fits) throw fileError(`must hold what its name says (.${extension}).`);
  return contentTypeOf(filename);
}

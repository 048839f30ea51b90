// Which attachments are accepted: the name has an allowed extension and the content matches it.

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
// An old Word file is a compound file, and so are other Office formats.
const sniffed: Record<string, readonly string[]> = {
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  png: ['image/png', 'image/apng'],
  gif: ['image/gif'],
  pdf: ['application/pdf'],
  doc: ['application/x-cfb'],
  docx: [contentTypes.docx ?? ''],
};

export function cleanFilename(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = withoutDots(last.replace(/[\p{C}<>:"|?*]+/gu, ''));
  if (Array.from(plain).length <= 200) return plain;
  const dot = plain.lastIndexOf('.');
  const extension = dot > 0 ? truncate(plain.slice(dot), 16) : '';
  return truncate(plain, 200 - extension.length) + extension;
}

/** A regular expression for the end takes quadratic time on long runs. */
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

export function contentTypeOf(filename: string): string {
  return contentTypes[extensionOf(filename)] ?? 'application/octet-stream';
}

export function requireAllowedName(filename: string): void {
  if (!(allowedExtensions as readonly string[]).includes(extensionOf(filename))) {
    throw fileError(`must have one of these extensions: ${allowedExtensions.join(', ')}.`);
  }
}

export function fileError(message: string): DeskError {
  return invalid('file', message);
}

const controls = /(?!\s)\p{Cc}/u;

function decodes(bytes: Uint8Array, encoding: string): boolean {
  try {
    return !controls.test(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}

/** The library mistakes plain words ("BMW", "solid") for file signatures, so valid UTF-8 is text, except a PDF. */
function isPlainText(bytes: Uint8Array, mime: string | undefined): boolean {
  if (mime === 'application/pdf') return false;
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodes(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decodes(bytes, 'utf-16be');
  if (decodes(bytes, 'utf-8')) return true;
  // Any older encoding has no NUL. Whatever the file is, it is sent as a download.
  return mime === undefined && !bytes.includes(0);
}

/** `content` is the bytes or a path. Throws `invalid` when name and content disagree. */
export async function sniffContentType(content: string | Uint8Array, filename: string): Promise<string> {
  const extension = extensionOf(filename);
  requireAllowedName(filename);
  const { fileTypeFromBuffer } = await import('file-type');
  // The library loads its own file reader in a way that a compiled executable cannot follow.
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  const found = await fileTypeFromBuffer(bytes);
  const fits =
    extension === 'txt' ? isPlainText(bytes, found?.mime) : (sniffed[extension]?.includes(found?.mime ?? '') ?? false);
  if (!fits) throw fileError(`must have the content that its extension (.${extension}) promises.`);
  return contentTypeOf(filename);
}

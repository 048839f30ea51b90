// The files of a message: attachments, bodies that were taken out, and what old programs wrote into the text.

import type { Attachment } from 'mailparser';
import { cleanLine, type InboundAttachment } from './message.ts';
import { decodeBody, type TakenBody } from './mime-bodies.ts';
import { findUuencoded } from './transfer-encoding.ts';

export function attachmentOf(attachment: Attachment, body: TakenBody | undefined, index: number): InboundAttachment {
  const uuencoded = body?.encoding === 'uuencode' ? findUuencoded(body.bytes.toString('latin1')) : null;
  const contentType = cleanLine(attachment.contentType ?? '') || 'application/octet-stream';
  const cid = cleanLine(attachment.cid ?? '') || null;
  return {
    filename: cleanLine(attachment.filename ?? '') || uuencoded?.filename || filenameFor(contentType, index),
    contentType,
    bytes: uuencoded?.bytes ?? (body === undefined ? attachment.content : decodeBody(body)),
    cid,
    isInline: attachment.contentDisposition === 'inline' || (cid !== null && attachment.related === true),
  };
}

export function loneAttachment(body: TakenBody, index: number): InboundAttachment {
  const uuencoded = body.encoding === 'uuencode' ? findUuencoded(body.bytes.toString('latin1')) : null;
  const plainType = body.contentType || 'application/octet-stream';
  const charset = body.charset !== null && /^[\w.:-]{1,40}$/.test(body.charset) ? `; charset=${body.charset}` : '';
  return {
    filename: uuencoded?.filename ?? (body.token === null ? filenameFor(plainType, -1) : filenameFor(plainType, index)),
    contentType: uuencoded === null ? plainType + charset : 'application/octet-stream',
    bytes: uuencoded?.bytes ?? decodeBody(body),
    cid: null,
    isInline: false,
  };
}

const extensions: Record<string, string> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'text/rfc822-headers': 'txt',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
};

/** As the programs that write these types call them. */
const names: Record<string, string> = {
  'application/pkcs7-mime': 'smime.p7m',
  'application/x-pkcs7-mime': 'smime.p7m',
  'application/pkcs7-signature': 'smime.p7s',
  'application/x-pkcs7-signature': 'smime.p7s',
  'application/pgp-signature': 'signature.asc',
  'application/ms-tnef': 'winmail.dat',
};

function filenameFor(contentType: string, index: number): string {
  const name = names[contentType.toLowerCase()];
  if (name !== undefined) return name;
  const extension = extensions[contentType.toLowerCase()] ?? 'bin';
  return index < 0 ? `message.${extension}` : `attachment-${index + 1}.${extension}`;
}

/** A signature is not a file of the customer's, but of the program that signed the mail. */
export const isSignature = (filename: string) =>
  /^(smime\.p7s|(openpgp_)?(digital_)?signature(\.asc)?)$/i.test(filename);

/** The file that has the only words of a mail and cannot be read: encrypted, torn, or of an unknown kind. Null for none. */
export function sealedFile(attachments: readonly InboundAttachment[]): string | null {
  // What says that a mail is encrypted with PGP stands before what is encrypted.
  const announced = attachments.findIndex(({ contentType }) => contentType === 'application/pgp-encrypted');
  const found = announced === -1 ? attachments.find(isWrapper) : (attachments[announced + 1] ?? attachments[announced]);
  return found?.filename ?? null;
}

const isWrapper = ({ contentType, filename }: InboundAttachment) =>
  /^application\/((x-)?pkcs7-mime|(vnd\.)?ms-tnef)$/i.test(contentType) ||
  /^(smime\.p7m|winmail\.dat)$/i.test(filename);

/** Old programs put files into the text, between "begin 644 name" and "end". */
export function takeUuencoded(text: string | null, attachments: InboundAttachment[]): string | null {
  let rest = text;
  for (let count = 0; rest !== null && count < 20; count++) {
    const file = findUuencoded(rest);
    if (file === null) break;
    attachments.push({
      filename: cleanLine(file.filename),
      contentType: 'application/octet-stream',
      bytes: file.bytes,
      cid: null,
      isInline: false,
    });
    rest = rest.slice(0, file.start) + rest.slice(file.end);
  }
  return rest;
}

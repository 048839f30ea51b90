// Reads a provider's form (multipart or urlencoded) into fields and files.
import { Busboy } from '@fastify/busboy';
import { type MailRefusal, mailLimits, malformed, tooMuch } from './limits.ts';

type FormFile = { field: string; filename: string; contentType: string; bytes: Uint8Array };
export type Form = {
  value(field: string, charset?: string): string | null;
  values(field: string): string[];
  bytes(field: string): Uint8Array | null;
  names: readonly string[];
  files: readonly FormFile[];
};

export function readForm(contentType: string, body: Uint8Array): Promise<Form> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, Buffer[]>();
    const files: FormFile[] = [];
    let refusal: MailRefusal | null = null;
    const refuse = (reason: MailRefusal) => {
      refusal ??= reason;
    };
    try {
      // Latin-1 keeps every byte of a field in another charset.
      const busboy = new Busboy({
        headers: { 'content-type': contentType },
        defCharset: 'latin1',
        limits: {
          fieldSize: mailLimits.messageBytes,
          fileSize: mailLimits.messageBytes,
          fields: 500,
          files: mailLimits.parts,
          parts: 1000,
        },
      });
      busboy.on('field', (name, value, _nameCut, isCut) => {
        if (isCut) refuse(tooMuch('message_too_large', `The field ${name} is larger than 25 MB.`));
        const bytes = Buffer.from(value, 'latin1');
        const known = fields.get(name);
        if (known === undefined) fields.set(name, [bytes]);
        else known.push(bytes);
      });
      busboy.on('file', (field, stream, filename, _encoding, type) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('limit', () => refuse(tooMuch('message_too_large', 'A file is larger than 25 MB.')));
        stream.on('end', () => {
          files.push({
            field,
            // `defCharset` is only for values: a file name is already UTF-8.
            filename: filename ?? '',
            contentType: type,
            bytes: Buffer.concat(chunks),
          });
        });
      });
      busboy.on('partsLimit', () => refuse(tooMuch('too_many_parts', 'The form has more than 1000 parts.')));
      busboy.on('filesLimit', () => refuse(tooMuch('too_many_parts', 'The form has too many files.')));
      busboy.on('fieldsLimit', () => refuse(tooMuch('too_many_parts', 'The form has too many fields.')));
      busboy.on('error', () => reject(malformed('The form could not be read.')));
      busboy.on('finish', () => (refusal === null ? resolve(formOf(fields, files)) : reject(refusal)));
      busboy.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    } catch {
      reject(malformed('The request is not a form.'));
    }
  });
}

function formOf(fields: Map<string, Buffer[]>, files: readonly FormFile[]): Form {
  return {
    value: (field, charset) => {
      const bytes = fields.get(field)?.[0];
      return bytes === undefined ? null : decode(bytes, charset);
    },
    values: (field) => (fields.get(field) ?? []).map(utf8),
    bytes: (field) => fields.get(field)?.[0] ?? files.find((file) => file.field === field)?.bytes ?? null,
    names: [...fields.keys()],
    files,
  };
}

function decode(bytes: Buffer, charset: string | undefined): string {
  if (charset === undefined) return utf8(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return utf8(bytes);
  }
}

function utf8(bytes: Buffer): string {
  return bytes.toString('utf8');
}

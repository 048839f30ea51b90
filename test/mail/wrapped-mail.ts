// Builds wrappers as mail programs write them: S/MIME signed, compressed and encrypted, and winmail.dat.

import { deflateSync } from 'node:zlib';

const concat = (...parts: readonly Uint8Array[]) => Buffer.concat(parts);

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = concat(...content);
  const { length } = body;
  if (length < 0x80) return concat(Buffer.from([tag, length]), body);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(length);
  return concat(Buffer.from([tag, 0x84]), size, body);
}

/** As programs write what they do not know the length of. */
const endless = (tag: number, ...content: readonly Uint8Array[]) =>
  concat(Buffer.from([tag, 0x80]), ...content, Buffer.from([0, 0]));

const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const data = oid('2a864886f70d010701');
const version = der(0x02, Buffer.from([1]));
const someHash = der(0x31, der(0x30, oid('608648016503040201')));
const signers = der(0x31, der(0x30, version));

export const signed = (content: string | Uint8Array) =>
  der(
    0x30,
    oid('2a864886f70d010702'),
    der(0xa0, der(0x30, version, someHash, der(0x30, data, der(0xa0, der(0x04, Buffer.from(content)))), signers)),
  );

/** As OpenSSL streams it and Outlook writes it: without lengths, the content in pieces. */
export function signedInPieces(content: string | Uint8Array, most = 7): Buffer {
  const bytes = Buffer.from(content);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += most) pieces.push(der(0x04, bytes.subarray(at, at + most)));
  const hashes = endless(0x31, endless(0x30, oid('608648016503040201')));
  return endless(
    0x30,
    oid('2a864886f70d010702'),
    endless(
      0xa0,
      endless(0x30, version, hashes, endless(0x30, data, endless(0xa0, endless(0x24, Buffer.concat(pieces)))), signers),
    ),
  );
}

/** Certificates, or a detached signature: there is nothing inside. */
export const signedNothing = der(
  0x30,
  oid('2a864886f70d010702'),
  der(0xa0, der(0x30, version, someHash, der(0x30, data), signers)),
);

export const compressed = (content: string | Uint8Array) =>
  der(
    0x30,
    oid('2a864886f70d0109100109'),
    der(
      0xa0,
      der(
        0x30,
        der(0x02, Buffer.from([0])),
        der(0x30, oid('2a864886f70d0109100308')),
        der(0x30, data, der(0xa0, der(0x04, deflateSync(content)))),
      ),
    ),
  );

export const encrypted = der(
  0x30,
  oid('2a864886f70d010703'),
  der(0xa0, der(0x30, version, der(0x31), der(0x30, data, der(0x30), der(0x80, Buffer.alloc(300, 7))))),
);

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/.{64}/g, '$&\r\n');

export const smimePart = (file: Uint8Array, type = 'application/pkcs7-mime; smime-type=signed-data; name=smime.p7m') =>
  [
    'Content-Disposition: attachment; filename="smime.p7m"',
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    '',
    base64(file),
  ].join('\r\n');

function number(value: number, bytes = 4): Buffer {
  const out = Buffer.alloc(bytes);
  out.writeUIntLE(value, 0, bytes);
  return out;
}

const padded = (bytes: Uint8Array) => concat(bytes, Buffer.alloc(-bytes.length & 3));

export function tnefAttribute(level: 1 | 2, id: number, content: Uint8Array): Buffer {
  return concat(Buffer.from([level]), number(id), number(content.length), content, number(0, 2));
}

type Property = readonly [kind: number, name: number, value: string | Uint8Array | number];

export function properties(...list: readonly Property[]): Buffer {
  const written = list.map(([kind, name, value]) => {
    const head = concat(number(kind, 2), number(name, 2));
    if (typeof value === 'number') return concat(head, number(value));
    const bytes = typeof value === 'string' ? Buffer.from(`${value}\0`, kind === 0x1f ? 'utf16le' : 'latin1') : value;
    return concat(head, number(1), number(bytes.length), padded(bytes));
  });
  return concat(number(list.length), ...written);
}

/** A property with a name of its own, of either kind, as forms and calendars have. */
export const namedProperties = concat(
  ...[
    number(2),
    number(0x1f, 2),
    number(0x8001, 2),
    Buffer.alloc(16, 9),
    number(1),
    number(10),
    padded(Buffer.alloc(10)),
  ],
  ...[number(1), number(4), Buffer.from('a\0\0\0')],
  ...[number(0x1003, 2), number(0x8002, 2), Buffer.alloc(16, 9), number(0), number(7), number(2), number(1), number(2)],
);

export const tnef = (...attributes: readonly Uint8Array[]) => concat(number(0x223e9f78), number(1, 2), ...attributes);

export const tnefFile = (name: string, content: Uint8Array | null, ...more: readonly Property[]) =>
  concat(
    tnefAttribute(2, 0x00069002, Buffer.alloc(14)),
    tnefAttribute(2, 0x00018010, Buffer.from('SHORT~1.PNG\0')),
    ...(content === null ? [] : [tnefAttribute(2, 0x0006800f, content)]),
    tnefAttribute(2, 0x00069005, properties([0x1f, 0x3707, name], ...more)),
  );

export const tnefBody = (...list: readonly Property[]) => tnefAttribute(1, 0x00069003, properties(...list));

/** [MS-OXRTFCP] 4.1 and 4.2: "hello world", and a run that refers to itself. */
export const packedRtf = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232' + '0af32068656c090020627705b06c647d0a800fa0',
  'hex',
);
export const packedRun = Buffer.from('1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', 'hex');

/** Rich Text that is not packed. */
export const plainRtf = (rtf: string) =>
  concat(number(rtf.length + 12), number(rtf.length), Buffer.from('MELA'), number(0), Buffer.from(rtf, 'latin1'));

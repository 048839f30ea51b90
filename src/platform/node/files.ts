// Files as streams and request bodies.

import { createReadStream, openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const webStream = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;

export function fileRange(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  return webStream(createReadStream(path, { start, end }));
}

export function fileBody(path: string): Promise<Blob> {
  return openAsBlob(path);
}

export function standardInput(): ReadableStream<Uint8Array> {
  return webStream(process.stdin);
}

export function standardInputText(): Promise<string> {
  return text(process.stdin);
}

// Files as streams and request bodies.

/** `end` is included. The stream knows its length, so that a download shows its progress. */
export function fileRange(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  return Bun.file(path)
    .slice(start, end + 1)
    .stream();
}

export function fileBody(path: string): Blob {
  return Bun.file(path);
}

export function standardInput(): ReadableStream<Uint8Array> {
  return Bun.stdin.stream();
}

export function standardInputText(): Promise<string> {
  return Bun.stdin.text();
}

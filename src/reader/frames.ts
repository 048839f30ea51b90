// Values on a pipe: four bytes of length, then JSON.

const longestFrame = 64 * 1024 * 1024;

export function encodeFrame(value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json]);
}

export function frameDecoder(onValue: (value: unknown) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    for (;;) {
      if (size < 4) return;
      if ((chunks[0]?.length ?? 0) < 4) chunks = [Buffer.concat(chunks)];
      const length = chunks[0]?.readUInt32BE() ?? 0;
      if (length > longestFrame) throw new Error(`a frame of ${length} bytes`);
      if (size < 4 + length) return;
      const whole = Buffer.concat(chunks);
      chunks = [whole.subarray(4 + length)];
      size -= 4 + length;
      onValue(JSON.parse(whole.toString('utf8', 4, 4 + length)));
    }
  };
}

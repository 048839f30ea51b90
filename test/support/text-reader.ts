// Streams that a test reads as text while they grow.

interface TextReader {
  /** The next piece. */
  next: () => Promise<string>;
  /** All that was read, once this is part of it. */
  until: (part: string) => Promise<string>;
  forget: () => void;
}

/** The end is an error: a test that waits for more after it would wait for ever, and let no time limit pass. */
export function textReader(reader: ReadableStreamDefaultReader<Uint8Array>): TextReader {
  const decoder = new TextDecoder();
  let text = '';
  const next = async () => {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended after: ${text}`);
    const piece = decoder.decode(value, { stream: true });
    text += piece;
    return piece;
  };
  return {
    next,
    async until(part) {
      while (!text.includes(part)) await next();
      return text;
    },
    forget: () => {
      text = '';
    },
  };
}

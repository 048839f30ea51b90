// A download of a known length: one that ends early must not pass for a whole file.

type ByteReader = ReadableStreamDefaultReader<Uint8Array>;

interface Faults {
  /** `missing` is negative when more bytes came than were asked for. */
  wrongLength: (missing: number) => unknown;
  interrupted?: (error: unknown) => unknown;
}

export function streamOfLength(
  length: number,
  open: () => Promise<ReadableStream<Uint8Array>>,
  { wrongLength, interrupted = (error) => error }: Faults,
): ReadableStream<Uint8Array> {
  let reader: ByteReader | null = null;
  let missing = length;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      reader ??= (await open()).getReader();
      const { done, value } = await reader.read().catch((error) => {
        throw interrupted(error);
      });
      if (!done) missing -= value.length;
      if (missing < 0 || (done && missing > 0)) throw wrongLength(missing);
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async (reason) => {
      await reader?.cancel(reason);
    },
  });
}

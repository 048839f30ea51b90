// Uploads that begin to arrive and do not end before they are told to.

import { baseUrl, type TestApp } from './app.ts';
import { streamed } from './streamed.ts';

const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

interface SlowUploads {
  /** Until so many have begun to arrive. */
  arriving(count: number): Promise<void>;
  end(): Promise<void>;
}

/** @param callers the headers of each */
export function slowUploads(
  app: TestApp,
  path: string,
  callers: readonly Record<string, string>[],
  peer = '192.0.2.1',
): SlowUploads {
  const ended = Promise.withResolvers<void>();
  let arriving = 0;
  const answers = callers.map((caller) => {
    let isArriving = false;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (!isArriving) {
            controller.enqueue(new TextEncoder().encode(`${head}words`));
            isArriving = true;
            arriving += 1;
          }
          await ended.promise;
          controller.error(new Error('gone'));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { ...caller, 'Content-Type': 'multipart/form-data; boundary=b' };
    return app.fetch(new Request(baseUrl + path, streamed({ method: 'POST', headers, body })), peer);
  });
  return {
    async arriving(count) {
      while (arriving < count) await new Promise(setImmediate);
    },
    async end() {
      ended.resolve();
      await Promise.all(answers);
    },
  };
}

// Bodies that break off while they are sent. Hono's adapter would print the error, which may quote a customer's words.

const faultHandlers = new WeakMap<Response, { onFault: (() => void) | null }>();

/** What `act` does when the stream that `response` was made of fails: the client must see that the body is incomplete. */
export function onBodyFault(response: Response, act: () => void): void {
  const watched = faultHandlers.get(response);
  if (watched !== undefined) watched.onFault = act;
}

function watchedStream(source: ReadableStream<Uint8Array>, watched: { onFault: (() => void) | null }) {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          if (watched.onFault === null) controller.error(error);
          else watched.onFault();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

let isWatching = false;

/** From now on, every Response made of a stream tells about its faults. */
export function watchResponses(): void {
  if (isWatching) return;
  isWatching = true;
  const Usual = globalThis.Response;
  globalThis.Response = class extends Usual {
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      if (!(body instanceof ReadableStream)) {
        super(body, init);
        return;
      }
      const watched = { onFault: null };
      super(watchedStream(body, watched), init);
      faultHandlers.set(this, watched);
    }
  };
}

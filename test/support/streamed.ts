// Requests whose body is a stream.

/** The standard wants it said that no answer is read before the body has ended. */
export function streamed(init: RequestInit): RequestInit {
  return { ...init, duplex: 'half' } as RequestInit;
}

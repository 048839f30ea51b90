// What fetch needs to forward a request and return its answer unchanged.

import { canFetchEncoded } from '#platform/runtime.ts';

/** Where fetch decodes every answer, the other side is asked for a plain one: `headers` are changed. */
export function passedOn(headers: Headers): object {
  if (!canFetchEncoded) headers.set('Accept-Encoding', 'identity');
  // Only Node asks for `duplex`: the body may be a stream.
  return { headers, decompress: false, duplex: 'half' };
}

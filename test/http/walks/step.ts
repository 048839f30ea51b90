// What a walk is: the call that makes one operation succeed.

export interface Step {
  params: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  form?: () => FormData;
  /** For calls that need a special caller. */
  headers?: Record<string, string>;
}

/** What a browser says of a page that it will show in a frame of the desk. */
export const inOwnFrame = { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Site': 'same-origin' };

export function file(name = 'log.txt', content: string | Uint8Array = 'A line of the log'): FormData {
  const form = new FormData();
  form.append('file', new File([content as BlobPart], name));
  return form;
}

/** The calls of some operations, by operation id. */
export type Walks = Record<string, () => Step | Promise<Step>>;

export function each(ids: readonly string[], walk: () => Step | Promise<Step>): Walks {
  return Object.fromEntries(ids.map((id) => [id, walk]));
}

/** A number that no earlier call used. */
export const unique = () => Math.trunc(performance.now() * 1000);

// A file on its way to the desk, with its progress: `fetch` does not tell how far an upload is.

import { type Answer, answerIn, noAnswer } from './api.ts';

interface Sending {
  path: string;
  file: File;
  name: string;
  fields?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
}

interface Sent<Data> {
  /** Never settles after `cancel`. */
  answer: Promise<Answer<Data>>;
  cancel: () => void;
}

/** @param path below /api/v1 */
export function sendFile<Data>({ path, file, name, fields = {}, headers = {}, onProgress }: Sending): Sent<Data> {
  const request = new XMLHttpRequest();
  request.open('POST', `/api/v1${path}`);
  for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (total > 0) onProgress(loaded / total);
  });
  const { promise, resolve } = Promise.withResolvers<Answer<Data>>();
  request.addEventListener('load', () => {
    resolve(answerIn(request.status, request.responseText, (header) => request.getResponseHeader(header)));
  });
  request.addEventListener('error', () => resolve({ isOk: false, refusal: noAnswer() }));
  const form = new FormData();
  // The desk reads what stands before the file.
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', file, name);
  request.send(form);
  return { answer: promise, cancel: () => request.abort() };
}

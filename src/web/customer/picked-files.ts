// Files that were chosen, dropped or pasted, and how far each is on its way.

import { type Signal, signal } from '@preact/signals';
import type { Refusal } from '../shared/api.ts';
import { now } from '../shared/clock.ts';
import { sizeLimit } from '../shared/file-size.ts';
import { pastedName } from '../shared/pasted-name.ts';
import { refusalText } from '../shared/refusal-text.ts';
import { sendFile } from '../shared/send-file.ts';
import { t } from './messages.ts';
import type { FileRules } from './page-content.ts';

export interface PickedFile {
  key: number;
  name: string;
  file: File;
  /** From 0 to 1; null while it is not under way. */
  progress: Signal<number | null>;
  problem: Signal<string | null>;
  /** Sending it again could help. */
  mayRetry: Signal<boolean>;
  isSent: Signal<boolean>;
  cancel: () => void;
}

let count = 0;

export function pick(file: File, { extensions, max_bytes: mostBytes }: FileRules): PickedFile {
  count += 1;
  const name = pastedName(file.name, file.type, new Date(now()));
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const problem = !extensions.includes(extension)
    ? t.wrongFileType(extensions.join(', '))
    : file.size > mostBytes
      ? t.fileTooLarge(sizeLimit(mostBytes))
      : null;
  return {
    key: count,
    name,
    file,
    progress: signal<number | null>(null),
    problem: signal(problem),
    mayRetry: signal(false),
    isSent: signal(false),
    cancel: () => undefined,
  };
}

export interface Destination {
  path: string;
  fields: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
}

/** One after the other. @returns whether all of them arrived */
export async function sendAll(files: readonly PickedFile[], to: Destination): Promise<boolean> {
  let isWhole = true;
  for (const picked of files) if (!picked.isSent.peek() && !(await sendOne(picked, to))) isWhole = false;
  return isWhole;
}

export async function sendOne(picked: PickedFile, { path, fields, headers }: Destination): Promise<boolean> {
  const { progress, problem, mayRetry, isSent, file, name } = picked;
  problem.value = null;
  mayRetry.value = false;
  progress.value = 0;
  const onProgress = (share: number) => {
    progress.value = share;
  };
  const { answer, cancel } = sendFile<object>({ path, file, name, fields, headers, onProgress });
  const { promise: cancelled, resolve } = Promise.withResolvers<'cancelled'>();
  picked.cancel = () => {
    cancel();
    resolve('cancelled');
  };
  const outcome = await Promise.race([answer, cancelled]);
  progress.value = null;
  if (outcome === 'cancelled') return true;
  isSent.value = outcome.isOk;
  if (!outcome.isOk) {
    problem.value = problemOf(outcome.refusal);
    mayRetry.value = outcome.refusal.status < 400 || outcome.refusal.status >= 429;
  }
  return outcome.isOk;
}

function problemOf(refusal: Refusal): string {
  if (refusal.code === 'storage_full') return t.storageFull;
  return refusal.fields.file === undefined ? (refusalText(refusal) ?? t.fileFailed) : t.fileFailed;
}

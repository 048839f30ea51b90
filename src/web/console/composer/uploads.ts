// Files on their way to the desk, each with its progress; they belong to no message until a reply names them.

import { type Signal, signal } from '@preact/signals';
import { call, type Refusal } from '../../shared/api.ts';
import { now } from '../../shared/clock.ts';
import { pastedName } from '../../shared/pasted-name.ts';
import { sendFile } from '../../shared/send-file.ts';
import { signedInAgain } from '../../shared/signed-in.ts';
import type { Attachment } from '../wire.ts';

export interface Upload {
  key: string;
  name: string;
  size: number;
  /** From 0 to 1. */
  progress: Signal<number>;
  refusal: Signal<Refusal | null>;
  /** Null until the desk has it. */
  attachment: Signal<Attachment | null>;
  cancel: () => void;
  retry: () => void;
}

let count = 0;

/** @param onDone after the desk has it */
export function startUpload(ticket: string, file: File, onDone: () => void): Upload {
  count += 1;
  const name = pastedName(file.name, file.type, new Date(now()));
  let stop: () => void = () => undefined;
  const upload: Upload = {
    key: `upload-${count}`,
    name,
    size: file.size,
    progress: signal(0),
    refusal: signal<Refusal | null>(null),
    attachment: signal<Attachment | null>(null),
    cancel() {
      stop();
    },
    retry() {
      upload.refusal.value = null;
      upload.progress.value = 0;
      stop = send(ticket, file, upload, onDone);
    },
  };
  upload.retry();
  return upload;
}

/** Of a file that the desk has. */
export function uploadOf(attachment: Attachment): Upload {
  const nothingToDo = () => undefined;
  return {
    key: attachment.ulid,
    name: attachment.filename,
    size: attachment.size,
    progress: signal(1),
    refusal: signal<Refusal | null>(null),
    attachment: signal<Attachment | null>(attachment),
    cancel: nothingToDo,
    retry: nothingToDo,
  };
}

export function attachmentsOf(uploads: readonly Upload[]): Attachment[] {
  return uploads.flatMap(({ attachment }) => attachment.peek() ?? []);
}

/** A file that no message names is of no use to anyone. */
export async function discardUpload(ticket: string, { attachment, cancel }: Upload): Promise<void> {
  cancel();
  const kept = attachment.peek();
  // If this fails, the file stays with the ticket, where customers do not see it.
  if (kept !== null) await call('DELETE', `/tickets/${ticket}/attachments/${kept.ulid}`);
}

function send(ticket: string, file: File, upload: Upload, onDone: () => void): () => void {
  const { answer, cancel } = sendFile<{ attachment: Attachment }>({
    path: `/tickets/${encodeURIComponent(ticket)}/attachments`,
    file,
    name: upload.name,
    onProgress(share) {
      upload.progress.value = share;
    },
  });
  void answer.then((sent) => {
    if (sent.isOk) {
      upload.attachment.value = sent.data.attachment;
      upload.progress.value = 1;
      onDone();
    } else if (sent.refusal.status === 401) {
      void signedInAgain().then(upload.retry);
    } else {
      upload.refusal.value = sent.refusal;
    }
  });
  return cancel;
}

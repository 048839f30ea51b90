// Files on their way to the desk, each with its progress; they belong to no message until a reply names them.

import { type Signal, signal } from '@preact/signals';
import { call, isUnreached, type Refusal } from '../../shared/api.ts';
import { now } from '../../shared/clock.ts';
import { sizeLimit } from '../../shared/file-size.ts';
import { pastedName } from '../../shared/pasted-name.ts';
import { refusalText } from '../../shared/refusal-text.ts';
import { sendFile } from '../../shared/send-file.ts';
import { noteReach, signedInAgain, signInsNow } from '../../shared/signed-in.ts';
import { onceBack } from '../live/live.ts';
import { visibleSites } from '../session.ts';
import type { Attachment } from '../wire.ts';
import { t } from './messages.ts';

export interface Upload {
  key: string;
  name: string;
  size: number;
  /** From 0 to 1. */
  progress: Signal<number>;
  problem: Signal<Problem | null>;
  /** Null until the desk has it. */
  attachment: Signal<Attachment | null>;
  cancel: () => void;
  retry: () => void;
}

interface Problem {
  text: string;
  /** Sending it again could help. */
  mayRetry: boolean;
}

let count = 0;

/** @param onDone after the desk has it */
export function startUpload(ticket: string, site: number, file: File, onDone: () => void): Upload {
  count += 1;
  let mayRepeat = true;
  const name = pastedName(file.name, file.type, new Date(now()));
  let stop: () => void = () => undefined;
  const upload: Upload = {
    key: `upload-${count}`,
    name,
    size: file.size,
    progress: signal(0),
    problem: signal<Problem | null>(null),
    attachment: signal<Attachment | null>(null),
    cancel() {
      stop();
    },
    retry() {
      const text = problemWith(site, file.size);
      upload.problem.value = text === null ? null : { text, mayRetry: false };
      upload.progress.value = 0;
      if (text === null) stop = send(ticket, file, upload, { onDone, onUnreached });
    },
  };
  upload.retry();
  return upload;

  function onUnreached(): void {
    if (mayRepeat) stop = onceBack(upload.retry);
    mayRepeat = false;
  }
}

/** Of a file that the desk has. */
export function uploadOf(attachment: Attachment): Upload {
  const nothingToDo = () => undefined;
  return {
    key: attachment.ulid,
    name: attachment.filename,
    size: attachment.size,
    progress: signal(1),
    problem: signal<Problem | null>(null),
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

interface UploadHeard {
  onDone: () => void;
  onUnreached: () => void;
}

function send(ticket: string, file: File, upload: Upload, { onDone, onUnreached }: UploadHeard): () => void {
  const before = signInsNow();
  const { answer, cancel } = sendFile<{ attachment: Attachment }>({
    path: `/tickets/${encodeURIComponent(ticket)}/attachments`,
    file,
    name: upload.name,
    onProgress(share) {
      upload.progress.value = share;
    },
  });
  void answer.then((sent) => {
    noteReach(sent);
    if (sent.isOk) {
      upload.attachment.value = sent.data.attachment;
      upload.progress.value = 1;
      onDone();
    } else if (sent.refusal.status === 401) {
      void signedInAgain(before).then(upload.retry);
    } else {
      upload.problem.value = problemOf(sent.refusal, upload.name);
      if (isUnreached(sent.refusal)) onUnreached();
    }
  });
  return cancel;
}

const mostBytesOf = (site: number) => visibleSites.peek().find(({ id }) => id === site)?.max_file_bytes ?? null;

/** What the desk would refuse, before it is sent. */
function problemWith(site: number, size: number): string | null {
  const most = mostBytesOf(site);
  if (most !== null && size > most) return t.fileTooLarge(sizeLimit(most));
  return size === 0 ? t.fileEmpty : null;
}

function problemOf(refusal: Refusal, name: string): Problem {
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  switch (refusal.code) {
    case 'attachment_type_refused':
      return { text: t.fileTypeRefused(extension), mayRetry: false };
    case 'storage_full':
      return { text: t.storageFull, mayRetry: false };
  }
  const { status } = refusal;
  return { text: refusalText(refusal) ?? '', mayRetry: status < 400 || status >= 429 };
}

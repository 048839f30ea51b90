// The files of a message: pictures small, others by name.

import { useSignal } from '@preact/signals';
import { withoutBidi } from '../../shared/bidi.ts';
import { fileSize } from '../../shared/format.ts';
import { reload } from '../tickets/cache.ts';
import type { Attachment } from '../wire.ts';
import { isExpired, kindOf, pathOf, withFreshLink } from './file-links.ts';
import { t } from './messages.ts';
import { TicketIcon } from './ticket-icons.tsx';
import { openViewer } from './viewer-state.ts';

export function Attachments({ ticket, files }: { ticket: string; files: readonly Attachment[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.ulid}>
          {kindOf(file) === 'other' ? (
            <Download ticket={ticket} file={file} />
          ) : (
            <Preview ticket={ticket} file={file} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Preview({ ticket, file }: { ticket: string; file: Attachment }) {
  const isBroken = useSignal(false);
  const name = withoutBidi(file.filename);
  const isImage = kindOf(file) === 'image' && !isBroken.value;
  return (
    <button
      type="button"
      class={`file${isImage ? ' picture' : ''}`}
      aria-label={t.openFile(name)}
      title={name}
      onClick={() => openViewer(ticket, file)}
    >
      {isImage ? (
        <img
          src={pathOf(file)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => {
            if (isExpired(file)) void reload(ticket);
            else isBroken.value = true;
          }}
        />
      ) : (
        <TicketIcon name="file" />
      )}
      <FileName name={name} size={file.size} />
    </button>
  );
}

function Download({ ticket, file }: { ticket: string; file: Attachment }) {
  const name = withoutBidi(file.filename);
  return (
    <a
      class="file"
      href={pathOf(file)}
      download={name}
      title={name}
      aria-label={t.downloadFile(name)}
      onClick={(event) => {
        if (!isExpired(file)) return;
        event.preventDefault();
        void withFreshLink(ticket, file).then((fresh) => location.assign(pathOf(fresh)));
      }}
    >
      <TicketIcon name="clip" />
      <FileName name={name} size={file.size} />
    </a>
  );
}

function FileName({ name, size }: { name: string; size: number }) {
  return (
    <span class="file-text">
      <bdi class="file-name">{name}</bdi>
      <span class="soft">{fileSize(size)}</span>
    </span>
  );
}

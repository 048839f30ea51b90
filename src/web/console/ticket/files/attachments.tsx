// The files of a message: pictures small, others by name.

import { useSignal } from '@preact/signals';
import { withoutBidi } from '../../../shared/bidi.ts';
import { fileClass, isWithheld, scanText } from '../../../shared/file-scan.ts';
import { fileSize } from '../../../shared/file-size.ts';
import { reload } from '../../tickets/cache.ts';
import type { Attachment } from '../../wire.ts';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { isExpired, kindOf, pathOf, withFreshLink } from './file-links.ts';
import { openViewer } from './viewer-state.ts';

export function Attachments({ ticket, files }: { ticket: string; files: readonly Attachment[] }) {
  if (files.length === 0) return null;
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.ulid}>
          {isWithheld(file) ? (
            <span class={fileClass(file)}>
              <TicketIcon name="file" />
              <FileName file={file} />
            </span>
          ) : kindOf(file) === 'other' ? (
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
      class={`${fileClass(file)}${isImage ? ' picture' : ''}`}
      title={t.openFile(name)}
      onClick={() => openViewer(ticket, file)}
    >
      {isImage ? (
        <img
          src={`${pathOf(file)}&thumbnail=1`}
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
      <FileName file={file} />
    </button>
  );
}

function Download({ ticket, file }: { ticket: string; file: Attachment }) {
  const name = withoutBidi(file.filename);
  return (
    <a
      class={fileClass(file)}
      href={pathOf(file)}
      download={name}
      title={t.downloadFile(name)}
      onClick={(event) => {
        if (!isExpired(file)) return;
        event.preventDefault();
        void withFreshLink(ticket, file).then((fresh) => location.assign(pathOf(fresh)));
      }}
    >
      <TicketIcon name="clip" />
      <FileName file={file} />
    </a>
  );
}

function FileName({ file }: { file: Attachment }) {
  const told = scanText(file, { waiting: t.fileWaiting, infected: t.fileInfected, unchecked: t.fileUnchecked });
  return (
    <span class="file-text">
      <bdi class="file-name">{withoutBidi(file.filename)}</bdi>
      {told !== null && <span class="file-scan">{told}</span>}
      {!isWithheld(file) && <span class="soft">{fileSize(file.size)}</span>}
    </span>
  );
}

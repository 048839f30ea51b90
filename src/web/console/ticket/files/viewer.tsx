// Shows a picture or a PDF over the page.

import { useEffect, useRef } from 'preact/hooks';
import { withoutBidi } from '../../../shared/bidi.ts';
import { fileSize } from '../../../shared/file-size.ts';
import { Icon } from '../../../shared/icons.tsx';
import { Notice } from '../../../shared/notices.tsx';
import { TicketIcon } from '../header/ticket-icons.tsx';
import { t } from '../messages.ts';
import { kindOf, pathOf } from './file-links.ts';
import { closeViewer, filesAround, openViewer, type Viewed, viewedFile } from './viewer-state.ts';

export function Viewer() {
  const shown = viewedFile.value;
  return shown === null ? null : <OpenViewer viewed={shown} />;
}

function OpenViewer({ viewed }: { viewed: Viewed }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { ticket, file } = viewed;
  const { previous, next } = filesAround(viewed);
  const name = withoutBidi(file.filename);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.focus();
    // A press beside the picture closes it, as Escape does.
    content.current?.addEventListener('click', ({ target, currentTarget }) => {
      if (target === currentTarget) dialog.current?.close();
    });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  function press(event: KeyboardEvent): void {
    // The keys of the page behind it rest.
    event.stopPropagation();
    const isRightToLeft = document.documentElement.dir === 'rtl';
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const target = step === 0 ? null : (step === 1) === isRightToLeft ? previous : next;
    if (target !== null) openViewer(ticket, target);
  }

  return (
    <dialog ref={dialog} class="viewer" tabIndex={-1} aria-label={name} onClose={closeViewer} onKeyDown={press}>
      <header>
        <bdi class="viewer-name">{name}</bdi>
        <span class="soft">{fileSize(file.size)}</span>
        <span class="viewer-actions">
          {previous !== null && (
            <button
              type="button"
              class="icon-button"
              aria-label={t.previousFile}
              title={t.previousFile}
              onClick={() => openViewer(ticket, previous)}
            >
              <TicketIcon name="back" />
            </button>
          )}
          {next !== null && (
            <button
              type="button"
              class="icon-button"
              aria-label={t.nextFile}
              title={t.nextFile}
              onClick={() => openViewer(ticket, next)}
            >
              <TicketIcon name="next" />
            </button>
          )}
          <a
            class="icon-button"
            href={pathOf(file)}
            download={name}
            aria-label={t.downloadFile(name)}
            title={t.downloadFile(name)}
          >
            <TicketIcon name="download" />
          </a>
          <button
            type="button"
            class="icon-button"
            aria-label={t.close}
            title={t.close}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </span>
      </header>
      <div ref={content} class="viewer-content">
        {kindOf(file) === 'image' ? (
          <img key={file.ulid} src={pathOf(file)} alt={name} />
        ) : navigator.pdfViewerEnabled ? (
          <iframe key={file.ulid} src={`${pathOf(file)}&view=1`} title={name} />
        ) : (
          <Notice kind="hint">{t.noPreview}</Notice>
        )}
      </div>
    </dialog>
  );
}

// What goes along with a message to someone outside: files of the ticket, and new ones, which only agents see.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { withoutBidi } from '../../../shared/bidi.ts';
import { Button } from '../../../shared/button.tsx';
import { Files } from '../../composer/files.tsx';
import { t as composer } from '../../composer/messages.ts';
import { discardUpload, startUpload, type Upload } from '../../composer/uploads.ts';
import { reload } from '../../tickets/cache.ts';
import type { TicketDetail } from '../../wire.ts';
import { t } from '../messages.ts';

/** @param choose by the id of a file, as of when it is called */
export function useChosenFiles({ ulid, site_id: site }: TicketDetail, choose: (id: number, isChosen: boolean) => void) {
  const uploads = useSignal<readonly Upload[]>([]);
  const without = (upload: Upload) => {
    uploads.value = uploads.peek().filter((one) => one !== upload);
  };
  async function finish(upload: Upload): Promise<void> {
    await reload(ulid);
    const id = upload.attachment.peek()?.id;
    if (id !== undefined && uploads.peek().includes(upload)) choose(id, true);
    without(upload);
  }
  return {
    uploads: uploads.value,
    choose,
    attach(files: readonly File[]) {
      const added = files.map((file): Upload => {
        const upload: Upload = startUpload(ulid, site, file, () => void finish(upload));
        return upload;
      });
      uploads.value = [...uploads.peek(), ...added];
    },
    remove(upload: Upload) {
      without(upload);
      void discardUpload(ulid, upload);
    },
    /** Why it cannot be sent yet. */
    problem(): string | null {
      const isFailed = uploads.peek().some(({ problem }) => problem.peek() !== null);
      return isFailed ? composer.fileFailed : uploads.peek().length > 0 ? composer.stillUploading : null;
    },
  };
}

interface ChosenFilesProps {
  ticket: TicketDetail;
  chosen: readonly number[];
  files: ReturnType<typeof useChosenFiles>;
}

export function ChosenFiles({ ticket, chosen, files }: ChosenFilesProps) {
  const field = useRef<HTMLInputElement>(null);
  const offered = ticket.attachments.filter(({ scan }) => scan?.status !== 'infected');
  return (
    <>
      {offered.length > 0 && (
        <fieldset class="split-choice">
          <legend>{t.forwardFiles}</legend>
          {offered.map(({ id, filename }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={(event) => files.choose(id, event.currentTarget.checked)}
              />
              <bdi>{withoutBidi(filename)}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      <Files uploads={files.uploads} onRemove={files.remove} />
      <div class="side-actions">
        <Button kind="quiet" onClick={() => field.current?.click()}>
          {composer.attachFiles}
        </Button>
        <input
          ref={field}
          type="file"
          multiple
          hidden
          tabIndex={-1}
          aria-label={composer.attachFiles}
          onChange={(event) => {
            files.attach([...(event.currentTarget.files ?? [])]);
            // The same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
      </div>
    </>
  );
}

// What shows that the form has arrived, with the files that have not.

import type { Signal } from '@preact/signals';
import { ButtonLink } from '../shared/button.tsx';
import { Notice } from '../shared/notices.tsx';
import { FileRows } from './file-rows.tsx';
import { t } from './messages.ts';
import { Note } from './note.tsx';
import { type Destination, type PickedFile, sendOne } from './picked-files.ts';

interface ReceiptProps {
  /** Null if the message waits for an agent. */
  reference: string | null;
  email: string;
  files: Signal<PickedFile[]>;
  destination: Destination | null;
}

export function Receipt({ reference, email, files, destination }: ReceiptProps) {
  const failed = files.value.filter(({ isSent }) => !isSent.value);
  return (
    <Note icon="done" title={t.receiptTitle}>
      {reference === null ? (
        <p>{t.receiptHeld}</p>
      ) : (
        <>
          <p>{t.receiptLead(email)}</p>
          <p class="soft">{t.receiptReference(reference)}</p>
        </>
      )}
      {destination === null && files.value.length > 0 && <Notice kind="hint">{t.filesLater}</Notice>}
      {destination !== null && failed.length > 0 && (
        <div role="alert">
          <Notice kind="problem">{t.someFilesFailed}</Notice>
        </div>
      )}
      {destination !== null && (
        <FileRows
          files={files.value}
          onRetry={(picked) => void sendOne(picked, destination)}
          onRemove={(picked) => {
            picked.cancel();
            files.value = files.peek().filter((other) => other !== picked);
          }}
        />
      )}
      <ButtonLink href={location.pathname}>{t.writeAnother}</ButtonLink>
    </Note>
  );
}

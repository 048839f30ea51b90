// The settings of a mailbox, and saving them.

import { useEffect } from 'preact/hooks';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import type { Edited } from '../edited.ts';
import type { Versioned } from '../live-data.ts';
import { t } from '../messages.ts';
import { SectionForm } from '../section-form.tsx';
import { AppObstacle, useMailApps } from './app-obstacle.tsx';
import { MailboxFields } from './mailbox-fields.tsx';
import { knownFields, mailboxProblems, missingIn } from './mailbox-form.ts';
import { bodyOf, completed, isElsewhere, type MailboxValues, secrets, valuesOf } from './values.ts';
import type { Mailbox } from './wire.ts';

interface ChangeProps {
  path: string;
  found: Versioned<Mailbox>;
  reload: () => Promise<void>;
  /** A certificate that the agent trusts from now on. */
  trusted: { kind: 'imap' | 'smtp'; sha256: string } | null;
  onSaved: () => void;
}

function names(): Readonly<Partial<Record<keyof MailboxValues, string>>> {
  return {
    ...{ name: t.name, address: t.mailboxAddress, provider: t.mailboxProvider, authentication: t.mailboxSignIn },
    ...{ reads: t.readsMail, sends: t.sendsMail, folder: t.folder, after_filing: t.afterFiling, move_to: t.moveTo },
    ...{ imap_host: t.serverHost, imap_port: t.serverPort, imap_tls: t.serverTls, imap_user: t.serverUser },
    ...{ smtp_host: t.serverHost, smtp_port: t.serverPort, smtp_tls: t.serverTls, smtp_user: t.serverUser },
    ...{ imap_sha256: t.fingerprint, smtp_sha256: t.fingerprint, save_sent: t.saveSent },
  };
}

/** The old way in is not kept, so a change of it cannot be taken back. */
const isUndoable = (before: MailboxValues, sent: MailboxValues) =>
  sent.password === '' && !isElsewhere(before, sent) && before.authentication === sent.authentication;

export function ChangeMailbox({ path, found, reload, trusted, onSaved }: ChangeProps) {
  return (
    <SectionForm<MailboxValues, Mailbox>
      label={t.mailboxSettings}
      name={`mailbox.${found.data.id}`}
      {...{ found, reload, valuesOf, secrets, completed, isUndoable, names: names(), fields: knownFields }}
      readOnly={can('manage') ? null : t.onlyManagersChange}
      problemsIn={mailboxProblems}
      check={missingIn}
      put={(values, etag) => ask('PATCH', path, bodyOf(values, false), { 'If-Match': etag })}
      said={({ name }) => t.mailboxSaved(name)}
      onSaved={({ authentication }, canUndo) => {
        if (!canUndo && authentication === 'password') onSaved();
      }}
    >
      {(form) => <Fields form={form} trusted={trusted} />}
    </SectionForm>
  );
}

function Fields({ form, trusted }: { form: Edited<MailboxValues> } & Pick<ChangeProps, 'trusted'>) {
  const { provider, authentication } = form.values;
  useEffect(() => {
    if (trusted !== null) form.change({ [`${trusted.kind}_sha256`]: trusted.sha256 });
  }, [trusted]);
  const obstacle = authentication === 'oauth' && can('manage') && <Obstacle provider={provider} />;
  return <MailboxFields form={form} isNew={false} obstacle={obstacle} />;
}

function Obstacle({ provider }: Pick<MailboxValues, 'provider'>) {
  const apps = useMailApps();
  return apps === null || apps.some((app) => app.provider === provider) ? null : <AppObstacle provider={provider} />;
}

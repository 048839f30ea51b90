// The mailboxes of a site: the list with the state of each, one mailbox, or a new one.

import { Icon } from '../../../shared/icons.tsx';
import { Link } from '../../route.ts';
import { can } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import { tensOfSeconds } from '../../ticking.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { AddMailbox } from './add-mailbox.tsx';
import { MailboxPage } from './mailbox-page.tsx';
import { LastTimes, MailboxState } from './state.tsx';
import type { Mailbox } from './wire.ts';

export function MailboxesSection({ site, id }: SectionProps) {
  if (id === 'new' && can('manage')) return <AddMailbox site={site} />;
  return id === null ? <MailboxList site={site} /> : <MailboxPage site={site} id={id} />;
}

function MailboxList({ site }: Pick<SectionProps, 'site'>) {
  const { shown, refusal, reload } = useLiveData<Mailbox[]>(`/sites/${site.id}/mailboxes`);
  const mailboxes = shown.value?.data ?? null;
  // Read, so that the times stay true.
  tensOfSeconds.value;
  return (
    <>
      <SectionHead title={t.mailboxes} lead={t.mailboxesLead}>
        {can('manage') && (
          <Link href={settingsPath('mailboxes', 'new', site)} class="button primary">
            <Icon name="plus" />
            {t.addMailbox}
          </Link>
        )}
      </SectionHead>
      <Loading of={{ shown, refusal, reload }} />
      {mailboxes?.length === 0 && (
        <Empty icon="mail" title={t.noMailboxes}>
          {can('manage') ? t.noMailboxesText : t.noMailboxesToManage}
        </Empty>
      )}
      {mailboxes !== null && mailboxes.length > 0 && (
        <ul class="panel mailboxes" aria-label={t.mailboxes}>
          {mailboxes.map((mailbox) => (
            <Row key={mailbox.id} mailbox={mailbox} />
          ))}
        </ul>
      )}
      <LastChange
        siteId={site.id}
        actions={['mailbox.created', 'mailbox.updated', 'mailbox.connected', 'mailbox.deleted']}
        targetId={null}
        version={JSON.stringify(mailboxes?.map(({ id, name, address }) => [id, name, address]))}
      />
      <EqualCommand words={['helpdesk', 'mailbox', 'list', '--site', site.slug]} />
    </>
  );
}

function Row({ mailbox }: { mailbox: Mailbox }) {
  const { id, name, address, state, state_reason: reason } = mailbox;
  return (
    <li>
      <Icon name="mail" />
      <div class="mailbox-name">
        <Link href={settingsPath('mailboxes', id)} class="row-link">
          <bdi>{name}</bdi>
        </Link>
        <p class="soft" title={address}>
          <bdi>{address}</bdi>
        </p>
        {reason !== null && state !== 'paused' && (
          <p class="mailbox-reason" title={reason}>
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
      <div class="mailbox-health">
        <MailboxState state={state} />
        <LastTimes mailbox={mailbox} />
      </div>
    </li>
  );
}

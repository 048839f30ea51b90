// The links by which customers open the ticket: to whom each was sent, whether it was used, and ending all of them.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { withoutBidi } from '../../shared/bidi.ts';
import { Button, Submit } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Form } from '../../shared/form.tsx';
import { ago, dateAndTime } from '../../shared/format.ts';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import { can } from '../session.ts';
import { useFetched } from '../shell/fetched.ts';
import { tensOfSeconds } from '../ticking.ts';
import type { CustomerLink, List, TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

const firstShown = 10;

export function CustomerLinks({ ticket }: { ticket: TicketDetail }) {
  const { data, refusal, reload } = useFetched<List<CustomerLink>>(`/tickets/${ticket.ulid}/links`);
  const isWhole = useSignal(false);
  const isRevoking = useSignal(false);
  const newest = ticket.events.at(-1)?.seq;
  useEffect(reload, [newest, ticket.message_count]);
  if (refusal.value !== null) return <p class="soft">{refusal.value.message}</p>;
  if (data.value === null) return null;
  const links = data.value.data;
  if (links.length === 0) return <p class="soft">{t.linksNone}</p>;
  const shown = isWhole.value ? links : links.slice(0, firstShown);
  const isAnyAlive = links.some(({ revoked_at: revokedAt }) => revokedAt === null);
  return (
    <>
      <ul class="customer-links">
        {shown.map((link) => (
          <LinkLine key={link.ulid} link={link} />
        ))}
      </ul>
      {shown.length < links.length && (
        <Button
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {t.linksAll(String(links.length))}
        </Button>
      )}
      {can('write') && isAnyAlive && (
        <Button
          kind="quiet"
          onClick={() => {
            isRevoking.value = true;
          }}
        >
          {t.linksRevokeOpen}
        </Button>
      )}
      {isRevoking.value && (
        <RevokeLinks
          ticket={ticket}
          onRevoked={reload}
          onClose={() => {
            isRevoking.value = false;
          }}
        />
      )}
    </>
  );
}

function LinkLine({ link }: { link: CustomerLink }) {
  const isRevoked = link.revoked_at !== null;
  return (
    <li class={isRevoked ? 'revoked' : ''}>
      {link.address !== '' && (
        <bdi class="link-address" title={link.address}>
          {withoutBidi(link.address)}
        </bdi>
      )}
      <span class="soft">
        {kindText(link.kind)},{' '}
        <time dateTime={link.sent_at} title={dateAndTime(link.sent_at)}>
          {ago(link.sent_at, tensOfSeconds.value)}
        </time>
      </span>
      <span class="soft">{stateText(link)}</span>
    </li>
  );
}

function stateText({ revoked_at: revokedAt, last_used_at: usedAt, is_confirmed: isConfirmed }: CustomerLink): string {
  if (revokedAt !== null) return t.linkRevoked(dateAndTime(revokedAt));
  if (usedAt === null) return t.linkUnused;
  const used = t.linkUsed(dateAndTime(usedAt));
  return isConfirmed ? `${used} · ${t.linkConfirmed}` : used;
}

function kindText(kind: CustomerLink['kind']): string {
  switch (kind) {
    case 'mail':
      return t.linkOfMail;
    case 'requested':
      return t.linkRequested;
    case 'form':
      return t.linkOfForm;
    case 'application':
      return t.linkOfApplication;
    case 'list':
      return t.linkOfList;
    case 'shared':
      return t.linkShared;
  }
}

// The question before the links of a ticket end.
interface RevokeProps {
  ticket: TicketDetail;
  onRevoked: () => void;
  onClose: () => void;
}

function RevokeLinks({ ticket, onRevoked, onClose }: RevokeProps) {
  const submission = useSubmission();
  async function revoke(): Promise<void> {
    const answer = await submission.send(() =>
      ask<{ data: { revoked: number } }>('DELETE', `/tickets/${ticket.ulid}/links`),
    );
    if (answer === null) return;
    announce(t.linksRevoked(String(answer.data.revoked)));
    onRevoked();
    onClose();
  }
  return (
    <Dialog title={t.linksRevokeTitle(ticket.reference)} onClose={onClose}>
      <Form submission={submission} onSubmit={() => void revoke()}>
        <p>{t.linksRevokeText}</p>
        <SubmissionNotice submission={submission} />
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Submit submission={submission} kind="danger">
            {t.linksRevoke}
          </Submit>
        </div>
      </Form>
    </Dialog>
  );
}

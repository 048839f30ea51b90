// Mail that waits for a decision: released, it becomes a ticket or a reply; discarded, it is forgotten after a while.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { ago, dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { t } from '../customers/messages.ts';
import { Link } from '../route.ts';
import { can, chosenSite, visibleSites } from '../session.ts';
import { Empty } from '../shell/empty.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { Refused } from '../shell/refused.tsx';
import { offerUndo } from '../undo.ts';
import { loadCounts, viewCounts } from '../views/views.ts';
import { type HeldMail, heldMailOf, type Loaded } from './held-mail.ts';

const excerptCharacters = 500;

export function HeldMailPage() {
  const loaded = useSignal<Loaded | null>(null);
  const site = chosenSite.value;
  const waiting = viewCounts.value['held-mail']?.count;
  const releasedIds = useRef(new Set<number>());
  const title = t.heldMail;

  async function load(): Promise<void> {
    const before = loaded.peek();
    const found = await heldMailOf(site === null ? visibleSites.peek().map(({ id }) => id) : [site]);
    // A decision that was made meanwhile is newer than this answer.
    if (chosenSite.peek() !== site || loaded.peek() !== before) return;
    // What was released stays in its place, with the link to its ticket.
    const released = before?.mails.filter(({ id }) => releasedIds.current.has(id)) ?? [];
    loaded.value = { ...found, mails: inOrder([...found.mails, ...released]) };
  }
  useEffect(() => {
    document.title = `${title} · Helpdesk`;
  }, [title]);
  useEffect(() => {
    void load();
  }, [site, waiting]);

  if (!can('manage')) return <NotFound />;
  const shown = loaded.value;
  return (
    <main id="content" class="list-screen" tabIndex={-1} aria-busy={shown === null || undefined}>
      <header class="screen-head">
        <h1>{t.heldMail}</h1>
        <p class="soft">{t.heldMailLead}</p>
      </header>
      {shown?.refusal != null && <Refused refusal={shown.refusal} onRetry={() => void load()} />}
      {shown !== null && shown.refusal === null && shown.mails.length === 0 && (
        <Empty icon="mail" title={t.noHeldMail}>
          {t.noHeldMailText}
        </Empty>
      )}
      {shown !== null && shown.mails.length > 0 && (
        <ul class="held">
          {shown.mails.map((mail) => (
            <Held key={mail.id} mail={mail} loaded={loaded} onRelease={() => releasedIds.current.add(mail.id)} />
          ))}
        </ul>
      )}
      {shown?.hasMore && <p class="soft">{t.moreHeldMail}</p>}
    </main>
  );
}

interface HeldProps {
  mail: HeldMail;
  loaded: Signal<Loaded | null>;
  onRelease: () => void;
}

function Held({ mail, loaded, onRelease }: HeldProps) {
  const busy = useSignal<'release' | 'discard' | null>(null);
  const filed = useSignal<{ ticket: string | null } | null>(null);
  const subject = mail.subject === null || mail.subject === '' ? t.noSubject : mail.subject;
  const path = `/sites/${mail.site_id}/inbound-mail/${mail.id}`;

  async function release(): Promise<void> {
    busy.value = 'release';
    const answer = await ask<{ data: HeldMail }>('POST', `${path}/replay`, { release: true });
    busy.value = null;
    if (!answer.isOk) return announceRefusal(answer.refusal);
    onRelease();
    filed.value = { ticket: answer.data.data.ticket };
    void loadCounts();
  }

  async function discard(): Promise<void> {
    busy.value = 'discard';
    const answer = await ask('POST', `${path}/discard`);
    busy.value = null;
    if (!answer.isOk) return announceRefusal(answer.refusal);
    const before = loaded.peek();
    if (before !== null) loaded.value = { ...before, mails: before.mails.filter(({ id }) => id !== mail.id) };
    void loadCounts();
    offerUndo(t.mailDiscarded(subject), async () => {
      const again = await ask('POST', `${path}/hold`);
      if (!again.isOk) return announceRefusal(again.refusal);
      const shown = loaded.peek();
      if (shown !== null) loaded.value = { ...shown, mails: inOrder([...shown.mails, mail]) };
      void loadCounts();
    });
  }

  const site =
    visibleSites.value.length > 1 ? visibleSites.value.find(({ id }) => id === mail.site_id)?.name : undefined;
  return (
    <li>
      <div>
        <h2 title={subject}>
          <bdi>{subject}</bdi>
        </h2>
        <p class="soft">
          <bdi>{mail.sender ?? t.unknownSender}</bdi>
          {mail.recipient !== null && ` ${t.mailTo(mail.recipient)}`}
          {site !== undefined && ` · ${site}`}
          {' · '}
          <time dateTime={mail.received_at} title={dateAndTime(mail.received_at)}>
            {ago(mail.received_at, now())}
          </time>
        </p>
        {mail.form !== null && (
          <p class="held-text">
            <bdi>{excerptOf(mail.form.message)}</bdi>
          </p>
        )}
        {mail.reason !== null && (
          <p class="held-reason">
            <Icon name="alert" />
            <span>{mail.reason}</span>
          </p>
        )}
      </div>
      <div class="held-actions">
        {filed.value === null ? (
          <>
            <Button label={t.discardMail(subject)} isBusy={busy.value === 'discard'} onClick={() => void discard()}>
              {t.discard}
            </Button>
            <Button
              kind="primary"
              label={t.releaseMail(subject)}
              isBusy={busy.value === 'release'}
              onClick={() => void release()}
            >
              {t.release}
            </Button>
          </>
        ) : (
          <p role="status">
            {filed.value.ticket === null ? t.mailStillHeld : `${t.mailFiled} `}
            {filed.value.ticket !== null && <Link href={`/tickets/${filed.value.ticket}`}>{t.openFiledTicket}</Link>}
          </p>
        )}
      </div>
    </li>
  );
}

/** Enough to see whether a person wrote it. */
function excerptOf(message: string): string {
  const characters = Array.from(message);
  return characters.length <= excerptCharacters ? message : `${characters.slice(0, excerptCharacters).join('')}…`;
}

function inOrder(mails: readonly HeldMail[]): HeldMail[] {
  return mails.toSorted((one, other) => other.received_at.localeCompare(one.received_at));
}

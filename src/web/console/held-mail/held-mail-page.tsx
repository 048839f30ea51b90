// Mail that waits for a decision: read, then released as a ticket or a reply, or discarded, which can be taken back.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { ago, count, dateAndTime } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { t } from '../customers/messages.ts';
import { usePageTitle } from '../page-title.ts';
import { go, Link, route } from '../route.ts';
import { can, chosenSite, visibleSites } from '../session.ts';
import { Empty } from '../shell/empty.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { Refused } from '../shell/refused.tsx';
import { viewCounts } from '../views/views.ts';
import { createHeldList, type HeldList, type HeldMail, subjectOf } from './held-mail.ts';
import { HeldMessage } from './held-message.tsx';

export function HeldMailPage() {
  const list = useMemo(createHeldList, []);
  const selected = useSignal<ReadonlySet<number>>(new Set());
  const site = chosenSite.value;
  const waiting = viewCounts.value['held-mail']?.count;
  const title = t.heldMail;
  const load = () => void list.load(site === null ? visibleSites.peek().map(({ id }) => id) : [site]);
  usePageTitle(title);
  useEffect(load, [site, waiting]);

  if (!can('manage')) return <NotFound />;
  const shown = list.loaded.value;
  return (
    <main id="content" class="list-screen" tabIndex={-1} aria-busy={shown === null || undefined}>
      <header class="screen-head">
        <h1>{t.heldMail}</h1>
        <p class="soft">{t.heldMailLead}</p>
      </header>
      {shown?.refusal != null && <Refused refusal={shown.refusal} onRetry={load} />}
      {shown !== null && shown.refusal === null && shown.mails.length === 0 && (
        <Empty icon="mail" title={t.noHeldMail}>
          {t.noHeldMailText}
        </Empty>
      )}
      {shown !== null && shown.mails.length > 0 && (
        <>
          <Several list={list} mails={shown.mails} selected={selected} />
          <ul class="held">
            {shown.mails.map((mail) => (
              <Held key={mail.id} list={list} mail={mail} selected={selected} />
            ))}
          </ul>
        </>
      )}
      {shown?.hasMore && <p class="soft">{t.moreHeldMail}</p>}
    </main>
  );
}

interface SeveralProps {
  list: HeldList;
  mails: readonly HeldMail[];
  selected: Signal<ReadonlySet<number>>;
}

/** What can be done with all that are selected. */
function Several({ list, mails, selected }: SeveralProps) {
  const open = mails.filter(({ id }) => !list.filed.value.has(id));
  const chosen = open.filter(({ id }) => selected.value.has(id));
  if (open.length === 0) return null;
  const isSome = chosen.length > 0;
  const isAll = chosen.length === open.length;
  const act = (verb: 'release' | 'discard') => {
    selected.value = new Set();
    void list[verb](chosen);
  };
  return (
    <section class="held-several" aria-label={t.heldActions}>
      <label>
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = isSome && !isAll;
          }}
          onChange={({ currentTarget }) => {
            selected.value = new Set(currentTarget.checked ? open.map(({ id }) => id) : []);
          }}
        />
        {t.selectAllMail}
      </label>
      <span class="soft" role="status">
        {isSome && t.mailSelected(count(chosen.length))}
      </span>
      {isSome && (
        <div class="held-actions">
          <Button label={t.releaseSelected} onClick={() => act('release')}>
            {t.release}
          </Button>
          <Button kind="primary" label={t.discardSelected} onClick={() => act('discard')}>
            {t.discard}
          </Button>
        </div>
      )}
    </section>
  );
}

interface HeldProps {
  list: HeldList;
  mail: HeldMail;
  selected: Signal<ReadonlySet<number>>;
}

function Held({ list, mail, selected }: HeldProps) {
  const id = useId();
  const subject = subjectOf(mail);
  const isFiled = list.filed.value.has(mail.id);
  const isRead = route.value.query.get('mail') === String(mail.id);
  const site =
    visibleSites.value.length > 1 ? visibleSites.value.find(({ id }) => id === mail.site_id)?.name : undefined;
  return (
    <li class={isRead ? 'is-read' : ''}>
      <input
        type="checkbox"
        aria-label={t.selectMail(subject)}
        disabled={isFiled}
        checked={!isFiled && selected.value.has(mail.id)}
        onChange={() => {
          const ids = new Set(selected.peek());
          if (!ids.delete(mail.id)) ids.add(mail.id);
          selected.value = ids;
        }}
      />
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
        {mail.reason !== null && (
          <p class="held-reason">
            <Icon name="alert" />
            <span>{mail.reason}</span>
          </p>
        )}
      </div>
      {isFiled ? <Filed ticket={list.filed.value.get(mail.id) ?? null} /> : <Actions {...{ list, mail, isRead, id }} />}
      {isRead && (
        <section id={id} class="held-message" aria-label={t.mailContent(subject)}>
          <HeldMessage mail={mail} />
        </section>
      )}
    </li>
  );
}

function Filed({ ticket }: { ticket: string | null }) {
  return (
    <p role="status">
      {ticket === null ? t.mailStillHeld : `${t.mailFiled} `}
      {ticket !== null && <Link href={`/tickets/${ticket}`}>{t.openFiledTicket}</Link>}
    </p>
  );
}

/** The safe one is the primary one: first to read, then to discard, which can be taken back. A release cannot. */
function Actions({ list, mail, isRead, id }: { list: HeldList; mail: HeldMail; isRead: boolean; id: string }) {
  const subject = subjectOf(mail);
  const busy = list.busy.value.get(mail.id);
  return (
    <div class="held-actions">
      <Button label={t.releaseMail(subject)} isBusy={busy === 'release'} onClick={() => void list.release([mail])}>
        {t.release}
      </Button>
      <Button
        kind={isRead ? 'primary' : 'plain'}
        label={t.discardMail(subject)}
        isBusy={busy === 'discard'}
        onClick={() => void list.discard([mail])}
      >
        {t.discard}
      </Button>
      <Button
        kind={isRead ? 'plain' : 'primary'}
        label={isRead ? t.closeMail(subject) : t.readMail(subject)}
        isExpanded={isRead}
        controls={isRead ? id : undefined}
        onClick={() => go(isRead ? '/inbox/held-mail' : `/inbox/held-mail?mail=${mail.id}`, { replace: isRead })}
      >
        {isRead ? t.closeHeld : t.readHeld}
      </Button>
    </div>
  );
}

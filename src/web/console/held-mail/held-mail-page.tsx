// Mail that waits for a decision: read, then released as a ticket or a reply, or discarded, which can be taken back.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { type HeldFor, heldReasons } from '../../../domain/mail/inbound.ts';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { Dialog } from '../../shared/dialog.tsx';
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
import {
  chosenReason,
  countOf,
  createHeldList,
  type HeldList,
  type HeldMail,
  heldPath,
  subjectOf,
} from './held-mail.ts';
import { HeldMessage } from './held-message.tsx';
import { heldReason } from './held-reason.ts';

export function HeldMailPage() {
  const list = useMemo(createHeldList, []);
  const selected = useSignal<ReadonlySet<number>>(new Set());
  const isWhole = useSignal(false);
  const reason = chosenReason();
  const site = chosenSite.value;
  const waiting = viewCounts.value['held-mail']?.count;
  const title = t.heldMail;
  const load = () => void list.load(site === null ? visibleSites.peek().map(({ id }) => id) : [site], reason);
  usePageTitle(title);
  useEffect(load, [site, waiting, reason]);
  useEffect(() => {
    selected.value = new Set();
    isWhole.value = false;
  }, [site, reason]);

  if (!can('manage')) return <NotFound />;
  const shown = list.loaded.value;
  return (
    <main id="content" class="list-screen" tabIndex={-1} aria-busy={shown === null || undefined}>
      <header class="screen-head">
        <h1>{t.heldMail}</h1>
        <p class="soft">{t.heldMailLead}</p>
      </header>
      {shown?.refusal != null && <Refused refusal={shown.refusal} onRetry={load} />}
      {shown !== null && shown.refusal === null && <Reasons counted={(each) => countOf(shown.waiting, each)} />}
      {shown !== null && shown.refusal === null && shown.mails.length === 0 && (
        <Empty icon="mail" title={t.noHeldMail}>
          {t.noHeldMailText}
        </Empty>
      )}
      {shown !== null && shown.mails.length > 0 && (
        <>
          <Several
            list={list}
            mails={shown.mails}
            total={countOf(shown.waiting, reason)}
            selected={selected}
            isWhole={isWhole}
          />
          <ul class="held">
            {shown.mails.map((mail) => (
              <Held key={mail.id} list={list} mail={mail} selected={selected} isWhole={isWhole} />
            ))}
          </ul>
        </>
      )}
      {shown?.hasMore && <p class="soft">{t.moreHeldMail}</p>}
    </main>
  );
}

const reasonTexts: Record<HeldFor, () => string> = {
  spam: () => t.heldSpam,
  forged: () => t.heldForged,
  too_much: () => t.heldTooMuch,
  undeliverable: () => t.heldUndeliverable,
  forward_bounces: () => t.heldForwardBounces,
  form: () => t.heldForm,
  other: () => t.heldOther,
};

/** What there is to filter by; a single reason is not a choice. */
function Reasons({ counted }: { counted: (reason: HeldFor | null) => number }) {
  const chosen = chosenReason();
  const shown = heldReasons.filter((reason) => counted(reason) > 0 || reason === chosen);
  if (shown.length < 2 && chosen === null) return null;
  return (
    <nav class="held-reasons" aria-label={t.heldReasons}>
      {[null, ...shown].map((reason) => (
        <Link key={reason} href={heldPath(reason)} isCurrent={reason === chosen}>
          {reason === null ? t.heldAll : reasonTexts[reason]()} <span>{count(counted(reason))}</span>
        </Link>
      ))}
    </nav>
  );
}

interface SeveralProps {
  list: HeldList;
  mails: readonly HeldMail[];
  /** How much there is, also what is not loaded. */
  total: number;
  selected: Signal<ReadonlySet<number>>;
  /** Whether all of it is meant. */
  isWhole: Signal<boolean>;
}

/** What can be done with all that are selected. */
function Several({ list, mails, total, selected, isWhole }: SeveralProps) {
  const isAsking = useSignal(false);
  const open = mails.filter(({ id }) => !list.filed.value.has(id));
  const chosen = open.filter(({ id }) => selected.value.has(id));
  if (open.length === 0) return null;
  const isSome = chosen.length > 0;
  const isAll = chosen.length === open.length;
  const isBusy = list.isDeciding.value;
  const isMore = total > open.length;
  const unselect = () => {
    selected.value = new Set();
    isWhole.value = false;
    isAsking.value = false;
  };
  const act = (verb: 'release' | 'discard', blocksSenders = false) => {
    const decides = isWhole.value ? list.decideAll(verb) : list[verb](chosen, blocksSenders);
    unselect();
    void decides;
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
            isWhole.value = false;
            selected.value = new Set(currentTarget.checked ? open.map(({ id }) => id) : []);
          }}
        />
        {t.selectAllMail}
      </label>
      <span class="soft" role="status">
        {isSome && t.mailSelected(count(isWhole.value ? total : chosen.length))}
      </span>
      {isAll && isMore && !isWhole.value && (
        <Button
          kind="quiet"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {t.selectAllHeld(count(total))}
        </Button>
      )}
      {isSome && (
        <div class="held-actions">
          <Button
            label={t.releaseSelected}
            isBusy={isBusy}
            onClick={() => {
              if (isWhole.value) isAsking.value = true;
              else act('release');
            }}
          >
            {t.release}
          </Button>
          {!isWhole.value && (
            <Button
              label={t.discardAndBlockSelected}
              isDisabled={chosen.some(({ sender, form }) => sender === null || form !== null)}
              onClick={() => act('discard', true)}
            >
              {t.discardAndBlock}
            </Button>
          )}
          <Button label={t.discardSelected} isBusy={isBusy} onClick={() => act('discard')}>
            {t.discard}
          </Button>
        </div>
      )}
      {isAsking.value && (
        <Dialog
          title={t.releaseAllTitle(count(total))}
          onClose={() => {
            isAsking.value = false;
          }}
        >
          <div class="dialog-body">
            <p class="soft">{t.releaseAllText}</p>
            <div class="dialog-actions">
              <Button
                onClick={() => {
                  isAsking.value = false;
                }}
              >
                {t.cancel}
              </Button>
              <Button kind="primary" onClick={() => act('release')}>
                {t.release}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </section>
  );
}

interface HeldProps {
  list: HeldList;
  mail: HeldMail;
  selected: Signal<ReadonlySet<number>>;
  isWhole: Signal<boolean>;
}

function Held({ list, mail, selected, isWhole }: HeldProps) {
  const id = useId();
  const subject = subjectOf(mail);
  const reason = heldReason(mail);
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
          isWhole.value = false;
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
        {reason !== null && (
          <p class="held-reason">
            <Icon name="alert" />
            <span>{reason}</span>
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

/** The safe one is the primary one: to read, and to close what was read. */
function Actions({ list, mail, isRead, id }: { list: HeldList; mail: HeldMail; isRead: boolean; id: string }) {
  const subject = subjectOf(mail);
  const busy = list.busy.value.get(mail.id);
  return (
    <div class="held-actions">
      <Button label={t.releaseMail(subject)} isBusy={busy === 'release'} onClick={() => void list.release([mail])}>
        {t.release}
      </Button>
      <Button label={t.discardMail(subject)} isBusy={busy === 'discard'} onClick={() => void list.discard([mail])}>
        {t.discard}
      </Button>
      <Button
        kind="primary"
        label={isRead ? t.closeMail(subject) : t.readMail(subject)}
        isExpanded={isRead}
        controls={isRead ? id : undefined}
        onClick={() => go(heldPath(chosenReason(), isRead ? null : mail.id), { replace: isRead })}
      >
        {isRead ? t.closeHeld : t.readHeld}
      </Button>
    </div>
  );
}

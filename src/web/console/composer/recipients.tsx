// Whom it is from, and who will read it: always in sight. Leaving someone out needs no dialog.

import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { DraftTab } from '../../../domain/tickets/ticket.ts';
import { isolated, withoutBidi } from '../../shared/bidi.ts';
import { Combobox } from '../../shared/combobox.tsx';
import { Icon } from '../../shared/icons.tsx';
import { senders } from '../catalogue.ts';
import { AddPerson, type NamedAddress } from '../customers/add-person.tsx';
import type { TicketDetail } from '../wire.ts';
import { chosenSender, type GoesTo, isDoubtful, readersOf, removedFrom, senderToKeep } from './goes-to.ts';
import { t } from './messages.ts';

/** Mail to them may come back. */
type Person = NamedAddress & { paused_at?: string | null };

interface RecipientsProps {
  tab: DraftTab;
  ticket: TicketDetail;
  goesTo: GoesTo;
  onChange: (goesTo: GoesTo) => void;
}

export function Recipients({ tab, ticket, goesTo, onChange }: RecipientsProps) {
  const line = useRef<HTMLDivElement>(null);
  const moved = useRef<string | null>(null);
  // A chip that moves to another place is a new one: the keyboard goes with it.
  useLayoutEffect(() => {
    if (moved.current === null) return;
    const buttons = [...(line.current?.querySelectorAll<HTMLElement>('[data-person] button, [role=combobox]') ?? [])];
    const own = buttons.find((button) => button.parentElement?.dataset.person === moved.current);
    (own ?? buttons.at(-1))?.focus();
    moved.current = null;
  });
  if (tab === 'note')
    return (
      <p class="recipients">
        <Icon name="lock" />
        {t.onlyAgents}
      </p>
    );
  const { leftOut, added } = goesTo;
  const put = (part: Partial<GoesTo>) => onChange({ ...goesTo, ...part });
  const { everyone, others, open } = readersOf(ticket, goesTo);
  const [first, ...rest] = open;
  const bcc = others.filter(({ as }) => as === 'bcc');
  const removed = removedFrom(ticket, goesTo);
  function toggle({ email, name }: Person): void {
    moved.current = email;
    if (removed.some((one) => one.email === email)) put({ added: [...others, { email, name, as: 'cc' }] });
    else if (others.some((one) => one.email === email)) put({ added: added.filter((one) => one.email !== email) });
    else put({ leftOut: toggled(leftOut, email) });
  }
  const chip = (person: Person) => (
    <PersonChip
      key={person.email}
      person={person}
      isOnly={open.length === 1 && person === first}
      isOut={removed.includes(person) || (everyone.includes(person) && leftOut.includes(person.email))}
      onToggle={() => toggle(person)}
    />
  );
  const adder = (as: 'cc' | 'bcc', label: string, text: string) => (
    <AddPerson
      siteId={ticket.site_id}
      label={label}
      without={[...everyone, ...others].map(({ email }) => email)}
      onAdd={(person) => put({ added: [...others, { ...person, as }] })}
    >
      {text}
    </AddPerson>
  );
  return (
    <div ref={line} class="recipients">
      {labelled(t.to, [first === undefined ? <span>{t.noRecipient}</span> : chip(first)])}
      {labelled(t.cc, rest.map(chip))}
      {everyone.filter(({ email }) => leftOut.includes(email)).map(chip)}
      {labelled(t.bcc, bcc.map(chip))}
      {labelled(t.removed, removed.map(chip))}
      {labelled(t.from, [<From key="from" ticket={ticket} goesTo={goesTo} onChoose={(from) => put({ from })} />])}
      <span class="recipient-group">
        {adder('cc', t.addCc, `+ ${t.cc}`)}
        {adder('bcc', t.addBcc, `+ ${t.bcc}`)}
      </span>
    </div>
  );
}

/** No line ends between the label and the first one. */
function labelled(label: string, [head, ...others]: JSX.Element[]) {
  if (head === undefined) return null;
  return (
    <>
      <span class="recipient-group">
        <span class="soft">{label}</span>
        {head}
      </span>
      {others}
    </>
  );
}

interface FromProps {
  ticket: TicketDetail;
  goesTo: GoesTo;
  onChoose: (from: number | null) => void;
}

/** A choice, where the site has several senders. */
function From({ ticket, goesTo, onChoose }: FromProps) {
  const rows = senders(ticket.site_id).value ?? [];
  const wanted = chosenSender(goesTo, rows);
  const chosen = rows.find((row) => (wanted === null ? senderToKeep(ticket, row) === null : row.id === wanted));
  const { name, address } = chosen?.from ?? ticket.sender;
  const shown = (
    <span class="recipient" title={address}>
      <bdi class="recipient-name">{withoutBidi(name)}</bdi>
      <bdi class="soft">{address}</bdi>
      {chosen !== undefined && isDoubtful(chosen) && <Icon name="alert" />}
    </span>
  );
  if (rows.length < 2 || chosen === undefined) return shown;
  return (
    <Combobox
      label={t.from}
      search
      class="plain from"
      value={chosen.id}
      options={rows.map((row) => ({
        value: row.id,
        text: withoutBidi(row.from.name),
        hint: isDoubtful(row) ? t.senderDoubtful(isolated(row.from.address)) : row.from.address,
        icon: isDoubtful(row) ? <Icon name="alert" /> : <Icon name="person" />,
      }))}
      onChange={(id) => {
        const row = rows.find((one) => one.id === id);
        if (row !== undefined) onChoose(senderToKeep(ticket, row));
      }}
    >
      {shown}
    </Combobox>
  );
}

const toggled = (list: readonly string[], email: string) =>
  list.includes(email) ? list.filter((one) => one !== email) : [...list, email];

interface ChipProps {
  person: Person;
  /** The last one stays: a reply goes to someone. */
  isOnly: boolean;
  isOut: boolean;
  onToggle: () => void;
}

export function PersonChip({ person: { name, email, paused_at: pausedAt }, isOnly, isOut, onToggle }: ChipProps) {
  const called = isolated(name || email);
  const text = isOut ? t.takeIn(called) : t.leaveOut(called);
  return (
    <span class={`recipient${isOut ? ' is-out' : ''}`} title={email} data-person={email}>
      {name !== null && <bdi class="recipient-name">{withoutBidi(name)}</bdi>}
      <bdi class="soft">{email}</bdi>
      {!isOut && pausedAt != null && (
        <span role="img" aria-label={t.mailComesBack} title={t.mailComesBack}>
          <Icon name="alert" />
        </span>
      )}
      {(isOut || !isOnly) && (
        <button type="button" class="tag-remove" aria-label={text} title={text} onClick={onToggle}>
          <Icon name={isOut ? 'plus' : 'close'} />
        </button>
      )}
    </span>
  );
}

// Asks what the selected tickets, or the active one, shall become.

import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { now } from '../../../shared/clock.ts';
import type { Option } from '../../../shared/combobox-option.ts';
import { ComboboxPanel } from '../../../shared/combobox-panel.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { dateAndTime } from '../../../shared/format.ts';
import { announce } from '../../../shared/notices.tsx';
import { t } from '../../on-demand-messages.ts';
import { session } from '../../session.ts';
import { earlyKeys } from '../../shortcuts/early-keys.ts';
import { SeveralCustomers } from '../../ticket/dialogs/several-customers.tsx';
import { snoozeTimeIn } from '../../ticket/dialogs/snooze-times.ts';
import { tagOf } from '../filters/filter-fields.ts';
import { changeTargets } from './bulk.ts';
import { changeFor, chosenNow, commonTags, isLoading, type Picked, pickOptions, pickTitle } from './pick-options.ts';
import { countOf, type PickerKind, picking, type Targets } from './targets.ts';

export function TicketPicker() {
  const current = picking.value;
  if (current === null) return null;
  const { kind, targets } = current;
  if (kind === 'tags') return <TagChoice targets={targets} />;
  if (kind === 'merge') return <MergeChoice targets={targets} />;
  return (
    <Dialog key={kind} title={pickTitle(kind, countOf(targets))} onClose={close}>
      <div class="ticket-picker">
        <Choice kind={kind} targets={targets} />
      </div>
    </Dialog>
  );
}

function close(): void {
  picking.value = null;
}

function usePanel() {
  const id = `picker-${useId().replace(/\W/g, '')}`;
  const active = useSignal<string | null>(null);
  const keysFrom = useRef<HTMLElement>(null);
  const early = useRef(earlyKeys()).current;
  return {
    id,
    active,
    keysFrom,
    isMultiple: false,
    hasSearch: true,
    begun: early.text,
    isEntered: early.isEntered,
    onLeave: close,
    onTab: () => undefined,
    onDone: undefined,
  };
}

const without = ({ kind, ulids, tickets }: Targets & { kind: 'some' }, ulid: string | number): Targets => ({
  kind,
  ulids: ulids.filter((one) => one !== ulid),
  tickets: tickets.filter((one) => one.ulid !== ulid),
});

function apply(targets: Targets, picked: Picked): void {
  close();
  void changeTargets(targets, picked.change, picked.textFor);
}

function Choice({ kind, targets }: { kind: PickerKind; targets: Targets }) {
  const panel = usePanel();
  const options: Option<string | number>[] = pickOptions(kind, targets);
  return (
    <>
      <ComboboxPanel<string | number>
        {...panel}
        label={pickTitle(kind, countOf(targets))}
        options={options}
        isLoading={isLoading(kind, targets)}
        chosen={chosenNow(kind, targets)}
        onCreate={undefined}
        onChoose={(value) => {
          const own = session.peek()?.agent;
          const option = options.find((one) => one.value === value);
          const text = kind === 'assign' && value === own?.id ? own.name : (option?.text ?? '');
          apply(targets, changeFor(kind, value, text));
        }}
      />
      {kind === 'snooze' && <SnoozeUntil targets={targets} />}
    </>
  );
}

/** Any other time, in the agent's own zone. */
function SnoozeUntil({ targets }: { targets: Targets }) {
  const id = useId();
  const typed = useSignal('');
  const at = snoozeTimeIn(typed.value, new Date(now()));
  return (
    <form
      class="snooze-until"
      onSubmit={(event) => {
        event.preventDefault();
        if (at === null) return announce(t.snoozeRefused, 'problem');
        apply(targets, changeFor('snooze', at.toISOString(), dateAndTime(at.toISOString())));
      }}
    >
      <label for={id}>{t.snoozeUntil}</label>
      <input
        id={id}
        type="datetime-local"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
      />
      <Button type="submit">{t.snooze}</Button>
    </form>
  );
}

/** Enter chooses, and Enter once more merges. */
function MergeChoice({ targets }: { targets: Targets }) {
  const panel = usePanel();
  const chosen = useSignal<Option<string | number> | null>(null);
  const options = pickOptions('merge', targets);
  function merge(): void {
    const { value: into } = chosen;
    if (into === null) return;
    const others = targets.kind === 'all' ? targets : without(targets, into.value);
    apply(others, changeFor('merge', into.value, into.text));
  }
  return (
    <Dialog title={pickTitle('merge', countOf(targets))} onClose={close}>
      <div class="ticket-picker">
        <ComboboxPanel<string | number>
          {...panel}
          onDone={merge}
          label={pickTitle('merge', countOf(targets))}
          options={options}
          chosen={chosen.value === null ? [] : [chosen.value.value]}
          onCreate={undefined}
          onChoose={(value) => {
            chosen.value = options.find((one) => one.value === value) ?? null;
          }}
        />
        {targets.kind === 'some' && <SeveralCustomers tickets={targets.tickets} />}
        <div class="dialog-actions">
          <Button onClick={close}>{t.cancel}</Button>
          <Button kind={chosen.value === null ? 'plain' : 'primary'} isDisabled={chosen.value === null} onClick={merge}>
            {t.actionMerge}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function TagChoice({ targets }: { targets: Targets }) {
  const panel = usePanel();
  const before = commonTags(targets);
  const chosen = useSignal<readonly string[]>(before);
  // Their own first, also those that were taken away just now, so that nothing moves.
  const own = targets.kind === 'all' ? [] : targets.tickets.flatMap(({ tags }) => tags);
  const known = pickOptions('tags', targets).map(({ value }) => String(value));
  const options = [...new Set([...before, ...own, ...chosen.value, ...known])].map((tag) => ({
    value: tag,
    text: tag,
  }));
  const toggle = (tag: string) => {
    chosen.value = chosen.value.includes(tag) ? chosen.value.filter((one) => one !== tag) : [...chosen.value, tag];
  };
  function finish(): void {
    const tags = chosen.peek();
    const added = tags.filter((tag) => !before.includes(tag));
    const removed = before.filter((tag) => !tags.includes(tag));
    if (added.length === 0 && removed.length === 0) {
      close();
      return;
    }
    const change = {
      ...(added.length > 0 ? { add_tags: added } : {}),
      ...(removed.length > 0 ? { remove_tags: removed } : {}),
    };
    apply(targets, { change, textFor: (count) => t.didTags(count) });
  }
  return (
    <Dialog title={pickTitle('tags', countOf(targets))} onClose={close}>
      <div class="ticket-picker">
        <ComboboxPanel<string | number>
          {...panel}
          onDone={finish}
          isMultiple
          label={pickTitle('tags', countOf(targets))}
          options={options}
          chosen={chosen.value}
          onChoose={(value) => toggle(String(value))}
          onCreate={(typed) => {
            const tag = tagOf(typed);
            if (tag === null) announce(t.tagRefused, 'problem');
            else toggle(tag);
          }}
        />
        <div class="dialog-actions">
          <Button onClick={close}>{t.cancel}</Button>
          <Button kind="primary" onClick={finish}>
            {t.apply}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

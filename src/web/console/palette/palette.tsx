// The command palette: type what to do, where to go or which ticket to open.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { isolated, withoutBidi } from '../../shared/bidi.ts';
import { closesBeside } from '../../shared/dialog.tsx';
import { Icon } from '../../shared/icons.tsx';
import { type Command, commandsByScope, type Scope } from '../commands.ts';
import { subjectText } from '../list/messages.ts';
import { t } from '../on-demand-messages.ts';
import { go } from '../route.ts';
import { onDemandPart } from '../shell/load-part.ts';
import { closeOverlay } from '../shell/overlays.ts';
import { earlyKeys } from '../shortcuts/early-keys.ts';
import { Keycaps } from '../shortcuts/keycaps.tsx';
import { choices, colleagues } from './choices.ts';
import { isReference, useFound } from './found.ts';
import { ranked } from './ranking.ts';

interface Entry {
  id: string;
  title: string;
  detail?: string;
  keys?: string | undefined;
  run: () => void;
}

interface Group {
  name: string;
  entries: Entry[];
}

/** Loaded with the settings, which know their sections. */
const settingsPart = onDemandPart(async () => (await import('../settings/settings-page.tsx')).settingsChoices);

const groupOf = (name: string) => ({ role: 'group', 'aria-label': name }) as const;

const listed = (command: Command) =>
  !command.isOnlyByKey && command.id !== 'palette' && (command.isAvailable?.() ?? true);

function commandGroups(typed: string): Group[] {
  const entriesOf = (scopes: readonly Scope[]): Entry[] =>
    ranked(scopes.flatMap((scope) => commandsByScope.value.get(scope) ?? []).filter(listed), typed).map((command) => ({
      id: command.id,
      title: command.title,
      keys: command.keys?.[0],
      run: command.run,
    }));
  const here = entriesOf(['composer', 'ticket', 'list', 'page']);
  return [
    { name: t.paletteHere, entries: typed.trim() === '' ? here : ranked([...here, ...choices()], typed) },
    { name: t.paletteAnywhere, entries: entriesOf(['anywhere']) },
  ];
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const early = useRef(earlyKeys()).current;
  const typed = useSignal(early.text);
  const active = useSignal(0);
  const { state: settings, begin } = settingsPart;
  useEffect(() => void begin(), []);
  const { tickets, customers, isSearching } = useFound(typed.value);

  const ticketGroup: Group = {
    name: t.paletteTickets,
    entries: tickets.map(({ ulid, reference, subject, author }) => ({
      id: `ticket:${ulid}`,
      title: subjectText(subject),
      detail: [reference, author?.name ?? author?.email].filter(Boolean).join(' · '),
      run: () => go(`/tickets/${ulid}`),
    })),
  };
  const settingsGroup: Group = {
    name: t.settings,
    entries:
      settings.value === null || settings.value === 'failed'
        ? []
        : settings.value.part(typed.value).map(({ path, ...entry }) => ({ ...entry, run: () => go(path) })),
  };
  const people: Group = {
    name: t.palettePeople,
    entries: [
      ...ranked(colleagues(typed.value), typed.value),
      ...customers.map(({ id, name, email }) => ({
        id: `customer:${id}`,
        title: withoutBidi(name ?? email),
        detail: email,
        run: () => go(`/customers/${id}`),
      })),
    ],
  };
  const found = typed.value.includes('@') ? [ticketGroup, people] : [people, ticketGroup];
  const groups = (
    isReference(typed.value)
      ? [ticketGroup, ...commandGroups(typed.value)]
      : [...commandGroups(typed.value), settingsGroup, ...found]
  ).filter(({ entries }) => entries.length > 0);
  const all = groups.flatMap(({ entries }) => entries);
  const chosen = all[Math.min(active.value, all.length - 1)];

  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    if (early.isEntered) run(chosen);
    return () => {
      if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body)
        before.focus();
    };
  }, []);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);

  function run(entry: Entry | undefined): void {
    if (entry === undefined) return;
    dialog.current?.close();
    closeOverlay();
    // The command may itself open something, which must not close with the palette.
    setTimeout(entry.run);
  }

  function press(event: KeyboardEvent): void {
    const last = all.length - 1;
    const at = Math.min(active.value, last);
    const to: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    };
    const next = to[event.key];
    if (event.key === 'Enter' && !event.isComposing) run(chosen);
    else if (next !== undefined) active.value = next;
    else return;
    event.preventDefault();
  }

  // Keys stay with the field.
  const forPointers = (entry: Entry) => ({
    onPointerMove: () => {
      active.value = all.indexOf(entry);
    },
    onClick: () => run(entry),
  });

  return (
    <dialog ref={dialog} class="dialog palette" aria-label={t.commandPalette} onClose={closeOverlay} {...closesBeside}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
          aria-autocomplete="list"
          aria-label={t.paletteField}
          placeholder={t.paletteHint}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={typed.value}
          onKeyDown={press}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            active.value = 0;
          }}
        />
        <span aria-hidden="true">
          <Keycaps keys="Escape" />
        </span>
      </div>
      <div ref={list} id={`${id}-list`} class="palette-list" role="listbox" aria-label={t.commandPalette} tabIndex={-1}>
        {groups.map(({ name, entries }) => (
          <div key={name} {...groupOf(name)}>
            <p class="palette-title" aria-hidden="true">
              {name}
            </p>
            {entries.map((entry) => (
              <div
                key={entry.id}
                id={`${id}-${entry.id}`}
                class="palette-entry"
                role="option"
                aria-selected={entry === chosen}
                tabIndex={-1}
                {...forPointers(entry)}
              >
                <span class="palette-name">{entry.title}</span>
                {entry.detail !== undefined && <span class="palette-detail">{entry.detail}</span>}
                {entry.keys !== undefined && <Keycaps keys={entry.keys} />}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p class="palette-note" role="status">
        {all.length === 0 && (isSearching ? t.searching : t.paletteNothing(isolated(typed.value.trim())))}
      </p>
    </dialog>
  );
}

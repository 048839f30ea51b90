// The tags of a ticket: chips, and a list to choose from and to add to.

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { maxTags } from '../../../domain/tickets/ticket.ts';
import { Combobox } from '../../shared/combobox.tsx';
import { Icon } from '../../shared/icons.tsx';
import { announce } from '../../shared/notices.tsx';
import type { Opener } from '../../shared/popover.ts';
import { t as done } from '../on-demand-messages.ts';
import { remembered } from '../remembered.ts';
import { changeTicket } from '../tickets/change.ts';
import type { TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

/** What this agent used lately, the newest first. The desk has no list of tags. */
const lately = remembered<string[]>('tags', []);
const mostRemembered = 60;

interface TagsProps {
  ticket: TicketDetail;
  handle: RefObject<Opener | null>;
  isLocked: boolean;
}

export function Tags({ ticket, handle, isLocked }: TagsProps) {
  /** While the list is open: one change is made for all of them when it closes. */
  const chosen = useSignal<readonly string[] | null>(null);
  const shown = chosen.value ?? ticket.tags;
  const known = [...new Set([...shown, ...ticket.tags, ...lately.value])];

  function take(tags: readonly string[]): void {
    if (tags.length > maxTags) announce(t.tooManyTags(String(maxTags)), 'problem');
    else chosen.value = tags;
  }

  function save(tags: readonly string[]): void {
    const added = tags.filter((tag) => !ticket.tags.includes(tag));
    const removed = ticket.tags.filter((tag) => !tags.includes(tag));
    if (added.length + removed.length === 0) return;
    lately.value = [...new Set([...added, ...tags, ...lately.value])].slice(0, mostRemembered);
    void changeTicket([ticket.ulid], { add_tags: added, remove_tags: removed }, { text: done.didTags(1) });
  }

  return (
    <div class="property">
      <span class="property-name" title={t.tags} aria-hidden="true">
        {t.tags}
      </span>
      <div class="tags">
        {shown.map((tag) => (
          <span key={tag} class="tag">
            {tag}
            {!isLocked && (
              <button
                type="button"
                class="tag-remove"
                aria-label={t.removeTag(tag)}
                onClick={() => save(shown.filter((one) => one !== tag))}
              >
                <Icon name="close" />
              </button>
            )}
          </span>
        ))}
        <Combobox
          label={t.tags}
          handle={handle}
          multiple
          search
          class="plain add-tag"
          isDisabled={isLocked}
          value={shown}
          options={known.map((tag) => ({ value: tag, text: tag }))}
          onChange={take}
          onCreate={(typed) => {
            const tag = tagOf(typed);
            if (tag === '') announce(t.noTag, 'problem');
            else if (!shown.includes(tag)) take([...shown, tag]);
          }}
          onEscape={() => {
            chosen.value = null;
          }}
          onClose={() => {
            if (chosen.value !== null) save(chosen.value);
            chosen.value = null;
          }}
        >
          <span class="combobox-value soft">{shown.length === 0 ? t.addTags : t.editTags}</span>
        </Combobox>
      </div>
    </div>
  );
}

// What the desk takes as a tag (docs/spec/api.md#tickets).
const longest = 32;

/** The tag that was probably meant; empty if no letter or digit of one is left. */
export function tagOf(typed: string): string {
  return typed
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
}

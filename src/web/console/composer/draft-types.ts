// What an agent has written on a ticket and not sent.

import type { ReadonlySignal, Signal } from '@preact/signals';
import type { BodyFormat, DraftTab } from '../../../domain/tickets/ticket.ts';
import type { Attachment } from '../wire.ts';
import type { StagedChanges } from './staged.ts';
import type { Upload } from './uploads.ts';

/** Names the ticket that is not opened yet. */
export const newTicket = 'new';

/** What is kept beside the text: of a reply whom it goes to, of a new ticket what else its form holds. */
export type FormFields = Record<string, unknown>;

/** As the desk keeps it (docs/spec/console.md#drafts). */
export interface WireDraft {
  body: string;
  body_format: BodyFormat;
  tab: DraftTab;
  attachments: Attachment[];
  fields: FormFields;
  updated_at: string;
}

/** On a ticket of another customer that was merged into this one. */
export interface LeftDraft extends WireDraft {
  ticket: string;
  reference: string;
  author: { name: string | null; email: string } | null;
}

/** Everything that a send takes away and Undo brings back. */
export interface Content {
  body: string;
  tab: DraftTab;
  uploads: readonly Upload[];
  staged: StagedChanges | null;
  fields: FormFields;
}

/** `browser`: only this browser has the newest text, because the desk could not be asked or refused it. */
export type Keeping = 'nothing' | 'saving' | 'saved' | 'browser';

export interface Draft {
  ticket: string;
  content: ReadonlySignal<Content>;
  keeping: ReadonlySignal<Keeping>;
  /** A version from elsewhere that is neither older nor newer than this one. */
  other: Signal<WireDraft | null>;
  left: Signal<readonly LeftDraft[]>;
  change(part: Partial<Content>): void;
  /** Adds a left draft to this one, or only discards it. */
  settleLeft(left: LeftDraft, isTaken: boolean): Promise<void>;
  takeOther(): void;
  keepOwn(): void;
  /** Asks the desk again, such as after the window was left. */
  refresh(isUrgent?: boolean): Promise<void>;
  /** Saves now, and waits until nothing is on its way. */
  settle(): Promise<void>;
  /** After it was sent. */
  clear(): void;
}

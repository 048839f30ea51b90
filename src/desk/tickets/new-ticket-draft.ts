// The signed-in agent's own draft of a ticket that is not opened yet, with its files (docs/spec/console.md#new-tickets).

import { type Known, tracesOf } from '../../domain/customers/traces.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import type { DraftInput } from '../../domain/input/tickets.ts';
import { mostFilesOfMessage } from '../../domain/sites/limits.ts';
import { agentsRules, extensionOf, requireNoneInfected, typeRefusal } from '../../domain/tickets/files.ts';
import { isUlid } from '../../domain/ulid.ts';
import type { Tx } from '../../engine/database.ts';
import type { Site } from '../../store/sites/sites.ts';
import {
  allTicketDrafts,
  type DraftFile,
  deleteDraftFile,
  deleteTicketDraft,
  draftFileByUlid,
  draftFilesOf,
  insertDraftFile,
  saveTicketDraft,
  type TicketDraft,
  ticketDraftOf,
  updateDraftFile,
} from '../../store/tickets/ticket-drafts.ts';
import { authorise } from '../access.ts';
import type { Context } from '../context.ts';
import { roomOfSite, type StoredFile, toBeScanned } from './attachments.ts';
import { ownerOf } from './drafts.ts';

/** Stands where a ticket is named, for the one that its agent has not opened yet. */
export const newTicketName = 'new';

interface NewTicketDraft {
  draft: TicketDraft;
  files: DraftFile[];
}

function withFiles(tx: Tx, draft: TicketDraft): NewTicketDraft {
  return { draft, files: draftFilesOf(tx, draft.agentId).filter(({ id }) => draft.attachmentIds.includes(id)) };
}

export function readNewTicketDraft(tx: Tx, ctx: Context): NewTicketDraft | null {
  authorise(ctx, 'write');
  const draft = ticketDraftOf(tx, ownerOf(ctx));
  return draft ? withFiles(tx, draft) : null;
}

export function writeNewTicketDraft(tx: Tx, ctx: Context, input: DraftInput): NewTicketDraft {
  authorise(ctx, 'write');
  const draft: TicketDraft = {
    agentId: ownerOf(ctx),
    body: input.body,
    bodyFormat: input.body_format ?? 'text',
    attachmentIds: [...new Set(input.attachment_ids ?? [])],
    fields: input.fields ?? {},
    updatedAt: ctx.now,
  };
  const saved = withFiles(tx, draft);
  if (saved.files.length !== draft.attachmentIds.length) throw unknownFile();
  saveTicketDraft(tx, draft);
  return saved;
}

export function discardNewTicketDraft(tx: Tx, ctx: Context): void {
  authorise(ctx, 'write');
  deleteTicketDraft(tx, ownerOf(ctx));
}

export function attachToNewTicket(tx: Tx, ctx: Context, file: StoredFile, messageId: number | null): DraftFile {
  authorise(ctx, 'write');
  if (messageId !== null) throw invalid('message_id', 'cannot be used before the ticket is opened.');
  const agentId = ownerOf(ctx);
  const kept = draftFilesOf(tx, agentId);
  const { ulid, filename, contentType, size, sha256 } = file;
  const repeated = file.mayRepeat && kept.find((one) => one.sha256 === sha256 && one.filename === filename);
  if (repeated) return repeated;
  if (kept.length >= mostFilesOfMessage)
    throw conflict(`A message can have at most ${mostFilesOfMessage} files.`, 'too_many_attachments');
  const named = { ulid, agentId, filename, contentType, size, sha256, createdAt: ctx.now };
  return insertDraftFile(tx, { ...named, ...toBeScanned(ctx) });
}

export function removeNewTicketFile(tx: Tx, ctx: Context, ulid: string): void {
  authorise(ctx, 'write');
  const file = isUlid(ulid) ? draftFileByUlid(tx, ulid.toUpperCase()) : undefined;
  if (file?.agentId !== ownerOf(ctx)) throw notFound('attachment');
  deleteDraftFile(tx, file.id);
}

const unknownFile = () => invalid('attachment_ids', 'must name files of your own that wait for a new ticket.');

/** The files that go with the ticket. The draft, and what else was uploaded for it, is gone. */
export function takeNewTicketDraft(tx: Tx, ctx: Context, site: Site, ids: readonly number[]): DraftFile[] {
  if (ctx.actor.kind !== 'agent') {
    if (ids.length > 0) throw unknownFile();
    return [];
  }
  const { agentId } = ctx.actor;
  const files = draftFilesOf(tx, agentId).filter(({ id }) => ids.includes(id));
  if (files.length !== new Set(ids).size) throw unknownFile();
  requireTaken(tx, site, files);
  deleteTicketDraft(tx, agentId);
  return files;
}

/** They were uploaded before their site was known. */
function requireTaken(tx: Tx, site: Site, files: readonly DraftFile[]): void {
  const rules = agentsRules(site.settings);
  requireNoneInfected(files);
  for (const { filename, size } of files) {
    if (typeRefusal(filename, rules) !== null)
      throw invalid('attachment_ids', `must not name a .${extensionOf(filename)} file.`, 'attachment_type_refused');
    if (size > rules.maxBytes) throw invalid('attachment_ids', `must name files of at most ${rules.maxBytes} bytes.`);
  }
  if (files.reduce((total, { size }) => total + size, 0) > roomOfSite(tx, site))
    throw invalid('attachment_ids', 'must wait, because the space for files of this site is full.', 'storage_full');
}

/** Of everyone. One that was meant for the person themselves ends. */
export function scrubNewTicketDrafts(tx: Tx, person: Known): void {
  const traces = tracesOf(person, false);
  for (const draft of allTicketDrafts(tx)) {
    const { agentId, body, fields } = draft;
    if (
      person.emails.some(
        (email) =>
          email ===
          String(fields.email ?? '')
            .trim()
            .toLowerCase(),
      )
    ) {
      deleteTicketDraft(tx, agentId);
      continue;
    }
    const changed = traces.json({ body, fields });
    for (const { id, filename } of draftFilesOf(tx, agentId))
      updateDraftFile(tx, id, { filename: traces.text(filename) });
    if (JSON.stringify(changed) !== JSON.stringify({ body, fields })) saveTicketDraft(tx, { ...draft, ...changed });
  }
}

// Changing tickets: shown at once, taken back with an explanation if the desk refuses, and with Undo where that is possible.

import type { Answer, Refusal } from '../../shared/api.ts';
import { chance, now } from '../../shared/clock.ts';
import { announce } from '../../shared/notices.tsx';
import { refusalText } from '../../shared/refusal-text.ts';
import { ask } from '../../shared/signed-in.ts';
import { agents, categories, priorities, teams } from '../catalogue.ts';
import { askedAgain } from '../live/live.ts';
import { keepsUnsaved } from '../live/upgrade.ts';
import { t } from '../shell/messages.ts';
import { offerUndo, whileChanging } from '../undo.ts';
import type { Ticket } from '../wire.ts';
import { knownTicket, openedTicket, reload, showChange, storeRow } from './cache.ts';
import { effectOf, type Known, leaves, type TicketChange, wayBack } from './effects.ts';

interface Changed {
  ulid: string;
  /** Why the desk refused; null if it did not. */
  refusal: Refusal | null;
}

/** For many tickets, which go to the desk in slices. */
interface Progress {
  onProgress?: (done: number) => void;
  isCancelled?: () => boolean;
}

interface ChangeOptions extends Progress {
  /** What was done, for this many tickets, such as "3 tickets resolved". It is shown with Undo, or without where nothing can be taken back. */
  text: string | ((count: number) => string);
}

/** So many go to the desk in one call. */
const slice = 200;

type Listen = (ulid: string, fields: Partial<Ticket>) => void;

const listeners = new Set<Listen>();
const rowSources = new Set<(ulid: string) => Ticket | undefined>();

/** Hears of every change: when it is shown, when the desk has confirmed it, and when it is taken back. */
export function onChanged(listen: Listen): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/** Lists say which rows they hold, so that a change of a ticket that is not open can be taken back. */
export function addRowSource(find: (ulid: string) => Ticket | undefined): () => void {
  rowSources.add(find);
  return () => rowSources.delete(find);
}

/** Never throws; what was refused is also explained on the page. */
export const changeTicket = (ulids: readonly string[], change: TicketChange, options: ChangeOptions) =>
  whileChanging(changeAndOffer(ulids, change, options));

async function changeAndOffer(
  ulids: readonly string[],
  change: TicketChange,
  options: ChangeOptions,
): Promise<Changed[]> {
  const before = new Map(ulids.map((ulid) => [ulid, rowOf(ulid)]));
  const results = await make(ulids, change, options);
  const done = results.filter(({ refusal }) => refusal === null).map(({ ulid }) => ulid);
  const [only] = ulids.length === 1 ? ulids : [];
  const row = before.get(only ?? '');
  const named = (text: string) => about(row?.reference, text);
  explain(results, named, row === undefined ? null : linkTo(row));
  const { text } = options;
  if (done.length > 0) offer(done, change, before, named(typeof text === 'string' ? text : text(done.length)));
  return results;
}

/** The page of a ticket. A note shows it where the agent is elsewhere. */
export function linkTo({ ulid, reference }: Pick<Ticket, 'ulid' | 'reference'>) {
  return { text: t.goToTicket(reference), path: `/tickets/${ulid}` };
}

/** A note is read when the agent is already elsewhere. */
export function about(reference: string | undefined, text: string): string {
  return reference === undefined || text.includes(reference) ? text : `${reference} · ${text}`;
}

function rowOf(ulid: string): Ticket | undefined {
  const known = knownTicket(ulid) ?? undefined;
  // Only the open ticket and the rows are kept up to date.
  if (known !== undefined && openedTicket.peek() === ulid) return known;
  for (const find of rowSources) {
    const row = find(ulid);
    if (row !== undefined) return row;
  }
  return known;
}

async function make(ulids: readonly string[], change: TicketChange, progress: Progress = {}): Promise<Changed[]> {
  const results: Changed[] = [];
  for (let at = 0; at < ulids.length && !progress.isCancelled?.(); at += slice) {
    results.push(...(await makeAtOnce(ulids.slice(at, at + slice), change)));
    progress.onProgress?.(results.length);
  }
  return results;
}

async function makeAtOnce(ulids: readonly string[], change: TicketChange): Promise<Changed[]> {
  const shown = new Map(ulids.map((ulid) => [ulid, showAtOnce(ulid, change)]));
  const answers = await send(ulids, change);
  for (const [ulid, answer] of answers) {
    const { before, end } = shown.get(ulid) ?? { before: null, end: () => undefined };
    if (answer.isOk) {
      storeRow(answer.data);
      end();
      tellChanged(ulid, answer.data);
    } else {
      end();
      if (before !== null) tellChanged(ulid, before);
      // The ticket is not what this page thought that it is.
      if ([404, 409, 412].includes(answer.refusal.status) && knownTicket(ulid) !== null) void reload(ulid);
    }
  }
  return [...answers].map(([ulid, answer]) => ({ ulid, refusal: answer.isOk ? null : answer.refusal }));
}

function showAtOnce(ulid: string, change: TicketChange): { before: Partial<Ticket> | null; end: () => void } {
  const row = rowOf(ulid);
  if (row === undefined) return { before: null, end: () => undefined };
  const effect = effectOf(change, row, knownOf(row.site_id));
  const before = Object.fromEntries(
    Object.keys(effect).map((field) => [field, row[field as keyof Ticket]]),
  ) as Partial<Ticket>;
  const end = showChange(ulid, effect);
  tellChanged(ulid, effect);
  return { before, end };
}

function knownOf(siteId: number): Known {
  return {
    agent: (id) =>
      agents(siteId)
        .peek()
        ?.find((one) => one.id === id),
    team: (id) =>
      teams(siteId)
        .peek()
        ?.find((one) => one.id === id),
    category: (id) =>
      categories(siteId)
        .peek()
        ?.find((one) => one.id === id),
    priority: (id) =>
      priorities(siteId)
        .peek()
        ?.find((one) => one.id === id),
  };
}

/** For fields that are changed by other calls. */
export function tellChanged(ulid: string, fields: Partial<Ticket>): void {
  for (const listen of listeners) listen(ulid, fields);
}

interface BulkAnswer {
  data: {
    ticket: string;
    status: number;
    data: Ticket | null;
    error: { code: string; message: string; errors?: Record<string, string[]> } | null;
  }[];
}

async function send(ulids: readonly string[], change: TicketChange): Promise<Map<string, Answer<Ticket>>> {
  const [only = ''] = ulids;
  if (change.unmerge) {
    const answers = new Map<string, Answer<Ticket>>();
    for (const ulid of ulids) {
      const answer = await ask<{ data: Ticket }>('POST', `/tickets/${encodeURIComponent(ulid)}/unmerge`);
      answers.set(ulid, answer.isOk ? { ...answer, data: answer.data.data } : answer);
    }
    return answers;
  }
  if (ulids.length === 1 && change.macro_id === undefined && change.merge_into === undefined) {
    const answer = await askOnce<{ data: Ticket }>('PATCH', `/tickets/${encodeURIComponent(only)}`, change);
    return new Map([[only, answer.isOk ? { ...answer, data: answer.data.data } : answer]]);
  }
  const answer = await askOnce<BulkAnswer>('POST', '/tickets/bulk', { tickets: ulids, change });
  if (!answer.isOk) return new Map(ulids.map((ulid) => [ulid, answer]));
  return new Map(
    answer.data.data.map(({ ticket, status, data, error }) => [
      ticket,
      data === null ? { isOk: false, refusal: refusalOf(status, error) } : { isOk: true, status, data },
    ]),
  );
}

let waiting = 0;
keepsUnsaved(() => waiting > 0);

/** Without a connection the change stays shown and waits for one. The desk makes it only once. */
async function askOnce<Data>(method: 'PATCH' | 'POST', path: string, body: object): Promise<Answer<Data>> {
  const key = { 'Idempotency-Key': `${now()}-${chance()}` };
  let isWaiting = false;
  const answer = await askedAgain(
    () => ask<Data>(method, path, body, key),
    () => {
      isWaiting = true;
      waiting += 1;
      announce(t.changeWaits, 'problem');
    },
  );
  if (isWaiting) waiting -= 1;
  return answer;
}

function refusalOf(status: number, error: BulkAnswer['data'][number]['error']): Refusal {
  return {
    code: error?.code ?? 'internal_error',
    status,
    message: error?.message ?? '',
    fields: error?.errors ?? {},
    requestId: null,
    retryAfterSeconds: null,
  };
}

function explain(
  results: readonly Changed[],
  named: (text: string) => string,
  link: Parameters<typeof announce>[2] = null,
): void {
  const refused = results.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]));
  const [first] = refused;
  if (first === undefined) return;
  const reason = reasonOf(first);
  announce(
    named(results.length === 1 ? t.notChanged(reason) : t.notAllChanged(refused.length, results.length, reason)),
    'problem',
    link,
  );
}

/** By the code of the refusal. Others are in on-demand-refusals.ts. */
export const reasons: Record<string, () => string> = {
  not_found: () => t.ticketGone,
  ticket_merged: () => t.ticketMerged,
};

/** Also for other calls about a ticket. */
export const reasonOf = (refusal: Refusal): string =>
  reasons[refusal.code]?.() ?? refusalText(refusal) ?? refusal.message;

function offer(
  ulids: readonly string[],
  change: TicketChange,
  before: ReadonlyMap<string, Ticket | undefined>,
  text: string,
): void {
  const ways = new Map<string, { ulids: string[]; steps: TicketChange[] }>();
  for (const ulid of ulids) {
    const row = before.get(ulid);
    const steps = row === undefined ? null : wayBack(change, row);
    if (steps === null) {
      announce(text);
      return;
    }
    const key = JSON.stringify(steps);
    const same = ways.get(key);
    if (same === undefined) ways.set(key, { ulids: [ulid], steps });
    else same.ulids.push(ulid);
  }
  offerUndo(text, async () => {
    const isAsLeft = (ulid: string) => {
      const row = rowOf(ulid);
      return row === undefined || leaves(change, row);
    };
    const since = ulids.filter((ulid) => !isAsLeft(ulid)).map((ulid) => before.get(ulid)?.reference ?? ulid);
    const taken = await Promise.all([...ways.values()].map((way) => takeBack(way.ulids.filter(isAsLeft), way.steps)));
    explain(taken.flat(), (refused) => `${text}: ${refused}`);
    if (since.length > 0) announce(t.changedSince(since.join(', ')), 'problem');
    else if (taken.flat().every(({ refusal }) => refusal === null)) announce(t.takenBack(text));
  });
}

async function takeBack(ulids: readonly string[], steps: readonly TicketChange[]): Promise<Changed[]> {
  const refused: Changed[] = [];
  let left = ulids;
  for (const step of steps) {
    const results = await make(left, step);
    refused.push(...results.filter(({ refusal }) => refusal !== null));
    left = results.filter(({ refusal }) => refusal === null).map(({ ulid }) => ulid);
    if (left.length === 0) break;
  }
  return [...refused, ...left.map((ulid) => ({ ulid, refusal: null }))];
}

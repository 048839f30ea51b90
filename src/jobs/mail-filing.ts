// Files one stored request: reads it, evaluates the rules, and writes the result, or why there is none.

import { errorFields, type Log } from '../base/log.ts';
import { fileHeldForm } from '../desk/customers/held-forms.ts';
import type { Desk } from '../desk/desk.ts';
import { delayMail, type Filed, failMail, fileMail, postponeMail, rulesBefore } from '../desk/mail/filing.ts';
import { DeskError, type FieldErrors } from '../domain/errors.ts';
import { normaliseEmail } from '../domain/mail/address.ts';
import { heldText } from '../domain/mail/held-texts.ts';
import type { InboundOutcome } from '../domain/mail/inbound.ts';
import type { RuleTrace } from '../domain/rules/rule.ts';
import { tooSlowRules } from '../domain/rules/trace.ts';
import type { ReadMessage } from '../mail/inbound/message.ts';
import { ReaderError } from '../reader/reader.ts';
import { type InboundMail, inboundMailById } from '../store/mail/inbound.ts';
import { type Site, siteById } from '../store/sites/sites.ts';
import type { MailCheck } from './mail-check.ts';
import type { MailReading } from './mail-reading.ts';
import type { Pace } from './pace.ts';
import { type Judge, withRules } from './rule-answers.ts';

interface MailFilingOptions {
  desk: Desk;
  reading: MailReading;
  checking: MailCheck;
  pace: Pace;
  judge: Judge;
  fetchText: (url: string) => Promise<string>;
  log: Log;
  onFiled?: (outcome: InboundOutcome, hasSlowRules: boolean) => void;
}

interface Filing {
  /** Also to addresses that it was forwarded to before. */
  forwardsAgain?: boolean;
  /** It has just arrived, so its sender's pace counts. */
  isNew?: boolean;
}

interface MailFiling {
  file(id: number, how?: Filing): Promise<Filed>;
  isUnderWay(id: number): boolean;
  settle(): Promise<void>;
}

export function createMailFiling(options: MailFilingOptions): MailFiling {
  const { desk, log, onFiled } = options;
  // Prevents this process from filing a message twice at the same time.
  const underWay = new Map<number, Promise<Filed>>();

  async function file(id: number, how: Filing = {}): Promise<Filed> {
    const filing = (underWay.get(id) ?? Promise.resolve()).catch(() => undefined).then(() => fileOrPostpone(id, how));
    underWay.set(id, filing);
    try {
      const filed = await filing;
      const { outcome, trace } = filed.row;
      if (outcome !== null) onFiled?.(outcome, tooSlowRules(trace as RuleTrace[]).length > 0);
      return filed;
    } finally {
      if (underWay.get(id) === filing) underWay.delete(id);
    }
  }

  async function fileOrPostpone(id: number, how: Filing): Promise<Filed> {
    try {
      return await fileOnce(options, id, how);
    } catch (error) {
      if (error instanceof DeskError && error.code === 'not_found') throw error;
      log.warn({ id, ...errorFields(error) }, 'mail is stored but not filed yet');
      const reason =
        error instanceof DeskError ? describe(error) : 'The message could not be filed; the log has the details.';
      return await desk.write((tx) => postponeMail(tx, contextOf(desk), id, reason));
    }
  }

  return {
    file,
    isUnderWay: (id) => underWay.has(id),
    async settle() {
      await Promise.allSettled(underWay.values());
    },
  };
}

async function fileOnce(options: MailFilingOptions, id: number, how: Filing): Promise<Filed> {
  const { desk, log, checking } = options;
  await checking.check(id);
  const row = desk.read((tx) => inboundMailById(tx, id) ?? null);
  const site = row && desk.read((tx) => siteById(tx, row.siteId) ?? null);
  if (!row || !site) throw new DeskError('not_found', 'No such mail.');
  if (row.status === 'done') return { row, ticket: null };
  if (row.provider === 'form') return await desk.write((tx) => fileHeldForm(tx, contextOf(desk), site, id));
  const attempt: Attempt = { row, site, how, message: undefined };
  try {
    return await readAndFile(options, attempt);
  } catch (error) {
    // It may work later, so the row stays `received`.
    if (error instanceof DeskError && error.code === 'unavailable') throw error;
    // A crash without a reason is perhaps not the message's fault.
    if (error instanceof ReaderError && error.what === 'crash') throw error;
    const isRefusal = error instanceof DeskError || error instanceof ReaderError;
    if (!isRefusal) log.error({ mail: row.ulid, ...errorFields(error) }, 'mail could not be filed');
    const reason = isRefusal
      ? describe(error)
      : 'The message could not be filed; the log has the details. Replay it after an upgrade.';
    return await desk.write((tx) => failMail(tx, contextOf(desk), id, 'failed', reason, attempt.message));
  }
}

interface Attempt {
  row: InboundMail;
  site: Site;
  how: Filing;
  message: ReadMessage | undefined;
}

async function readAndFile(options: MailFilingOptions, attempt: Attempt): Promise<Filed> {
  const { desk, reading, pace, judge, fetchText } = options;
  const { row, site } = attempt;
  const { forwardsAgain = false, isNew = false } = attempt.how;
  const { id } = row;
  const read = await reading.read(row, site);
  if (read.kind === 'subscription') {
    await fetchText(read.subscribeUrl);
    return await desk.write((tx) =>
      failMail(tx, contextOf(desk), id, 'discarded', `The subscription to ${read.topicArn} was confirmed.`),
    );
  }
  if (read.kind === 'ignored')
    return await desk.write((tx) => failMail(tx, contextOf(desk), id, 'discarded', read.reason));
  const { material, written, isPlain } = read;
  const { message } = material;
  attempt.message = message;
  const waitMs = isNew ? pace.takeTurn(`${site.id} ${senderOf(message)}`, desk.now()) : 0;
  if (waitMs > 0 || material.classified.kind === 'own') await reading.discard(written);
  else material.files = await reading.keep(written);
  if (waitMs > 0) return await desk.write((tx) => delayMail(tx, contextOf(desk), id, message, waitMs));
  const remarks = [
    ...(isPlain ? [heldText('only_text')] : []),
    ...(message.hasCutHeaders ? [heldText('cut_headers')] : []),
  ];
  const remark = remarks.length === 0 ? null : remarks.join(' ');
  const remarked = { ...material, remark };
  const first = desk.read((tx) => rulesBefore(tx, contextOf(desk), site, id, remarked, forwardsAgain));
  return await withRules(judge, first, (answer) =>
    desk.write((tx) => fileMail(tx, contextOf(desk), site, id, remarked, forwardsAgain, answer)),
  );
}

const contextOf = (desk: Desk) => desk.context({ kind: 'desk' }, 'mail');

function senderOf({ from, envelope }: ReadMessage): string {
  return normaliseEmail(from?.address ?? envelope.from ?? '');
}

function describe(error: DeskError | ReaderError): string {
  const fields: FieldErrors = (error instanceof DeskError && error.errors) || {};
  return [error.message, ...Object.values(fields).flat()].join(' ');
}

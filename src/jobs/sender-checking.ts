// Checks who sent a mail that no provider vouches for, before it is filed. DNS that is silent never holds up filing.

import type { Log } from '../base/log.ts';
import type { Desk } from '../desk/desk.ts';
import { noteSenderChecks } from '../desk/mail/filing.ts';
import { providerOf } from '../domain/mail/inbound.ts';
import {
  type AskDns,
  type CheckVerdict,
  type DnsAnswer,
  type DnsQuestion,
  type SenderChecks,
  uncheckable,
} from '../domain/mail/sender-checks.ts';
import type { Blobs } from '../files/blobs.ts';
import { isCheckedByDesk } from '../mail/inbound/authentication.ts';
import type { CheckSenderInput } from '../reader/check-sender.ts';
import { mailBudget } from '../reader/jobs.ts';
import type { Reader } from '../reader/reader.ts';
import type { InboundMail } from '../store/mail/inbound.ts';
import { siteById } from '../store/sites/sites.ts';
import { createMailCheck, type MailCheck } from './mail-check.ts';
import { largeBytes } from './mail-reading.ts';

interface SenderCheckingOptions {
  desk: Desk;
  mailBlobs: Blobs;
  reader: Reader;
  log: Log;
  /** Null: nothing is checked. */
  askDns: AskDns | null;
  onChecked?: ((verdict: CheckVerdict) => void) | undefined;
}

/** For all questions of a message together. */
const patienceMs = 4000;
const mostQuestions = 60;
// A chain of SPF includes asks for one link in each round.
const mostRounds = 25;
// They wait for DNS and use nothing else; a flood of silent names takes one site's places only.
const atOnce = 64;
const ofOneSite = 32;

export function createSenderChecking(options: SenderCheckingOptions): MailCheck {
  const { desk, log, askDns, onChecked } = options;
  return createMailCheck({
    desk,
    log,
    atOnce,
    ofOneSite,
    isDue: (row) => askDns !== null && row.senderChecks === null && isCheckedByDesk(providerOf(row)),
    ask: async (row) => (askDns === null ? null : await checksOf(options, row, askDns)),
    unknown: uncheckable,
    note: noteSenderChecks,
    fault: 'the sender of a mail could not be checked',
    onNoted: (checks) => onChecked?.(checks.verdict),
  });
}

/** Null if a server that the site trusts has vouched. */
async function checksOf(
  { desk, mailBlobs, reader }: SenderCheckingOptions,
  row: InboundMail,
  askDns: AskDns,
): Promise<SenderChecks | null> {
  const site = desk.read((tx) => siteById(tx, row.siteId) ?? null);
  const stored = await mailBlobs.local(row.ulid);
  if (stored === null || site === null) return null;
  const answers: Record<DnsQuestion, DnsAnswer> = {};
  const input: Omit<CheckSenderInput, 'isFinal'> = {
    path: stored.path,
    headers: row.headers,
    trustedServers: site.settings.trusted_mail_servers,
    trustedSealers: site.settings.trusted_arc_sealers,
    answers,
  };
  const until = performance.now() + patienceMs;
  try {
    for (let round = 1; ; round += 1) {
      const leftMs = until - performance.now();
      const isFinal = round >= mostRounds || leftMs <= 0;
      const how = { budget: mailBudget, isLarge: row.size >= largeBytes };
      const said = await reader.run('check sender', { ...input, isFinal }, how);
      if (said.kind !== 'wanted') return said.kind === 'checked' ? said.checks : null;
      const left = mostQuestions - Object.keys(answers).length;
      const asked = said.questions.map(async (question, at) => {
        answers[question] = at < left ? await askDns(question, Math.max(1, leftMs)) : 'silent';
      });
      await Promise.all(asked);
    }
  } finally {
    await stored.release();
  }
}

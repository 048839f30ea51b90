// The sender verdict, from the authentication results that can be trusted.

import { normaliseEmail } from '../../domain/mail/address.ts';
import type { ProviderName } from '../../domain/mail/inbound.ts';
import { type SenderChecks, uncheckable } from '../../domain/mail/sender-checks.ts';
import { domainOf } from './addresses.ts';
import type { InboundMessage } from './message.ts';

/** The servers that each provider signs Authentication-Results with; null when any server can receive the mail. */
const authenticationServers: Readonly<Record<ProviderName, RegExp | null>> = {
  postmark: /(^|\.)(postmarkapp\.com|mtasv\.net|wildbit\.com)$/,
  mailgun: /(^|\.)mailgun\.(org|net)$/,
  sendgrid: /(^|\.)sendgrid\.net$/,
  ses: /^amazonses\.com$/,
  cloudflare: /(^|\.)cloudflare\.net$/,
  raw: null,
};

export type Check = { method: 'dmarc' | 'dkim' | 'spf'; result: string; domain: string | null; policy: string | null };

type Proof = Pick<InboundMessage, 'verdict' | 'forgedBy'>;

/** 'fail' only if DMARC, or both SPF and DKIM, failed (forwards fail SPF). 'pass' only for the From domain. */
export function proofOf(message: Pick<InboundMessage, 'from' | 'hasSeveralFrom'>, checks: readonly Check[]): Proof {
  const results = (method: Check['method']) => checks.filter((check) => check.method === method);
  const from = domainOf(message.from?.address ?? '');
  const isAligned = (check: Check) => check.domain !== null && belongTogether(check.domain, from);
  const dmarc = results('dmarc')[0];
  const dkim = results('dkim');
  const spf = results('spf');
  if (dmarc && isRefused(dmarc)) return forgedBy('DMARC');
  const hasGoodSignature = dkim.some((check) => check.result === 'pass');
  if (
    dmarc?.result !== 'pass' &&
    spf[0]?.result === 'fail' &&
    !hasGoodSignature &&
    dkim.some((check) => check.result === 'fail')
  ) {
    return forgedBy('SPF+DKIM');
  }
  // With two senders, one could be shown and the other proven.
  if (message.hasSeveralFrom || dmarc?.result === 'fail') return unproven;
  // One that names another domain speaks of another From: a group or a forward has replaced it since. Some servers name the domain above it.
  const isOfFrom = (check: Check) => check.domain === null || (isAligned(check) && check.domain.length <= from.length);
  if (dmarc?.result === 'pass' && isOfFrom(dmarc)) return proven;
  return [...dkim, ...spf].some((check) => check.result === 'pass' && isAligned(check)) ? proven : unproven;
}

const proven: Proof = { verdict: 'pass', forgedBy: null };
const unproven: Proof = { verdict: 'none', forgedBy: null };
const forgedBy = (checks: 'DMARC' | 'SPF+DKIM', isClaimed = false): Proof => ({
  verdict: 'fail',
  forgedBy: { checks, isClaimed },
});

/** What the topmost header says; null unless a server that is trusted wrote it. */
export function trustedResults(
  message: Pick<InboundMessage, 'headers' | 'provider'>,
  trustedServers: readonly string[] = [],
): Check[] | null {
  const { server, checks } = topmostResults(message);
  const pattern = authenticationServers[message.provider];
  return trustedServers.some((each) => each.toLowerCase() === server) || pattern?.test(server) ? checks : null;
}

/** For mail that any server can receive, the desk checks itself; until it has, a stranger's header can accuse but never clear. */
export function provenBy(
  message: Pick<InboundMessage, 'headers' | 'provider' | 'from' | 'hasSeveralFrom'>,
  { trustedServers, senderChecks }: { trustedServers?: readonly string[]; senderChecks?: SenderChecks | null },
): Proof {
  const trusted = trustedResults(message, trustedServers);
  if (trusted !== null) return proofOf(message, trusted);
  if (!isCheckedByDesk(message.provider)) return unproven;
  const { verdict, from, dmarc } = senderChecks ?? uncheckable;
  if (verdict === 'unknown') {
    const accusing = topmostResults(message).checks.filter(({ result }) => result === 'fail');
    const { forgedBy: accused } = proofOf(message, accusing);
    return accused === null ? unproven : forgedBy(accused.checks, true);
  }
  if (verdict === 'fail') return forgedBy(isRefused(dmarc) ? 'DMARC' : 'SPF+DKIM');
  if (verdict === 'none') return unproven;
  // Two readers of one header may find two senders.
  const isSame = from === domainOf(normaliseEmail(message.from?.address ?? ''));
  return isSame && !message.hasSeveralFrom ? proven : unproven;
}

const isRefused = ({ result, policy }: Pick<Check, 'result' | 'policy'>) => result === 'fail' && policy !== 'none';

/** Whether the desk checks who sent it, unless a server that the site trusts has. */
export function isCheckedByDesk(provider: ProviderName): boolean {
  return authenticationServers[provider] === null;
}

function topmostResults({ headers }: Pick<InboundMessage, 'headers'>): { server: string; checks: Check[] } {
  const [server = '', ...entries] = splitEntries(headers['authentication-results']?.[0] ?? '');
  return { server: server.trim().split(/\s/, 1)[0]!.toLowerCase(), checks: entries.flatMap(readEntry) };
}

/** Without the public suffix list: equal, or one inside the other. */
export function belongTogether(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a === '' || b === '' || !a.includes('.') || !b.includes('.')) return false;
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

export function scoreIn(value: string | null | undefined): number | null {
  const match = /^\s*(?:(?:yes|no),\s*)?(?:score=)?(-?\d{1,6}(?:\.\d{1,6})?)/i.exec(value ?? '');
  return match === null ? null : Number(match[1]);
}

export function spamScoreOf(message: Pick<InboundMessage, 'headers'>): number | null {
  for (const name of ['x-spam-score', 'x-mailgun-sscore', 'x-spam-status', 'x-rspamd-score']) {
    const score = scoreIn(message.headers[name]?.[0]);
    if (score !== null) return score;
  }
  return null;
}

function splitEntries(header: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < header.length; at++) {
    const char = header[at];
    if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (char === ';' && depth === 0) {
      entries.push(header.slice(start, at));
      start = at + 1;
    }
  }
  entries.push(header.slice(start));
  return entries.slice(0, 50);
}

function readEntry(entry: string): Check[] {
  const match = /^\s*(dmarc|dkim|spf)\s*=\s*([a-z]+)/i.exec(entry);
  if (match === null) return [];
  const method = match[1]!.toLowerCase() as Check['method'];
  const policy =
    /\(\s*p=([a-z]+)/i.exec(entry)?.[1]?.toLowerCase() ??
    /\bpolicy\.(?:dmarc|published-domain-policy)=([a-z]+)/i.exec(entry)?.[1] ??
    null;
  const property = {
    dmarc: /\bheader\.from=([^\s;()]+)/i,
    dkim: /\bheader\.(?:d|i)=([^\s;()]+)/i,
    spf: /\bsmtp\.(?:mailfrom|mail)=([^\s;()]+)/i,
  }[method];
  const domain = property.exec(entry)?.[1];
  const result = match[2]!.toLowerCase();
  // An old word for SPF's fail; softfail proves nothing.
  return [
    {
      method,
      result: result === 'hardfail' ? 'fail' : result,
      domain: domain === undefined ? null : domainOf(domain),
      policy,
    },
  ];
}

// The sender verdict, from the authentication results that can be trusted.

import { domainOf } from './addresses.ts';
import type { InboundMessage, SenderVerdict } from './message.ts';
import { providers } from './providers.ts';

export type Check = { method: 'dmarc' | 'dkim' | 'spf'; result: string; domain: string | null; policy: string | null };

/** 'fail' only if DMARC, or both SPF and DKIM, failed (forwards fail SPF). 'pass' only for the From domain. */
export function verdictOf(
  message: Pick<InboundMessage, 'from' | 'hasSeveralFrom'>,
  checks: readonly Check[],
): SenderVerdict {
  const results = (method: Check['method']) => checks.filter((check) => check.method === method);
  const isAligned = (check: Check) =>
    check.domain !== null && belongTogether(check.domain, domainOf(message.from?.address ?? ''));
  const dmarc = results('dmarc')[0];
  const dkim = results('dkim');
  const spf = results('spf');
  if (dmarc?.result === 'fail' && dmarc.policy !== 'none') return 'fail';
  const hasGoodSignature = dkim.some((check) => check.result === 'pass');
  if (
    dmarc?.result !== 'pass' &&
    spf[0]?.result === 'fail' &&
    !hasGoodSignature &&
    dkim.some((check) => check.result === 'fail')
  ) {
    return 'fail';
  }
  // With two senders, one could be shown and the other proven.
  if (message.hasSeveralFrom || dmarc?.result === 'fail') return 'none';
  if (dmarc?.result === 'pass') return 'pass';
  return [...dkim, ...spf].some((check) => check.result === 'pass' && isAligned(check)) ? 'pass' : 'none';
}

/** Only the topmost header of a trusted server counts; for raw mail, an untrusted one can accuse but never clear. */
export function authenticationResults(
  message: Pick<InboundMessage, 'headers' | 'provider'>,
  trustedServers: readonly string[] = [],
): Check[] {
  const header = message.headers['authentication-results']?.[0];
  if (header === undefined) return [];
  const [server = '', ...entries] = splitEntries(header);
  const name = server.trim().split(/\s/, 1)[0]!.toLowerCase();
  const checks = entries.flatMap(readEntry);
  const pattern = providers[message.provider].authenticationServers;
  if (trustedServers.some((each) => each.toLowerCase() === name) || pattern?.test(name)) return checks;
  return pattern === null ? checks.filter((check) => check.result === 'fail') : [];
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

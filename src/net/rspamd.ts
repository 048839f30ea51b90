// A spam filter that is asked over HTTP: rspamd's /checkv2, one message at a time.

import * as z from 'zod';
import { type SpamCheck, type SpamEnvelope, type SpamFilter, unscored } from '../domain/mail/spam-check.ts';
import { truncate } from '../domain/text.ts';
import { parseAllowList } from './allow-list.ts';
import { guardedRead } from './guarded-fetch.ts';

// More than the eight seconds that rspamd gives itself.
const patienceMs = 10_000;
const pingMs = 5_000;
const answerBytes = 512 * 1024;
const mostSymbols = 10;
const furthestScore = 10_000;

const score = z.number().min(-furthestScore).max(furthestScore);
const answerShape = z.object({
  score,
  action: z.string().default(''),
  is_skipped: z.boolean().default(false),
  symbols: z.record(z.string(), z.object({ score })).default({}),
});

export const spamFilterAt = (url: string | null): SpamFilter | null => (url === null ? null : createSpamFilter(url));

/** @param url of its normal worker, such as `http://127.0.0.1:11333` */
export function createSpamFilter(url: string, waitMs = patienceMs): SpamFilter {
  // Who runs the desk has named it, so a private address is fine; any other host is not.
  const allow = parseAllowList(new URL(url).host);
  const target = (path: string) => `${url.replace(/\/$/, '')}${path}`;
  let wasUp: boolean | null = null;

  async function isUp(): Promise<boolean> {
    try {
      const request = { method: 'GET' as const, url: target('/ping'), headers: {}, body: '' };
      const { status, body } = await guardedRead(request, { allow, timeoutMs: Math.min(pingMs, waitMs) }, answerBytes);
      return status === 200 && body.trim() === 'pong';
    } catch {
      return false;
    }
  }

  async function ask(message: Uint8Array, { from, to, client }: SpamEnvelope): Promise<SpamCheck> {
    const headers = { From: from, Rcpt: to, IP: client };
    const request = {
      method: 'POST' as const,
      url: target('/checkv2'),
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          value === null || !/^[\x21-\x7e]*$/.test(value) ? [] : [[name, value]],
        ),
      ),
      body: message,
    };
    const { status, body } = await guardedRead(request, { allow, timeoutMs: waitMs }, answerBytes);
    if (status !== 200) throw new Error(`it answered ${status}`);
    return checkIn(body);
  }

  return {
    isUp,
    wasUp: () => wasUp,
    async check(message, envelope) {
      try {
        const check = await ask(message, envelope);
        wasUp = true;
        return { kind: 'answered', check };
      } catch (error) {
        const why = error instanceof Error ? error.message : 'no answer';
        // One message can be too much for it.
        wasUp = await isUp();
        return wasUp ? { kind: 'answered', check: unscored(why) } : { kind: 'down', why };
      }
    },
  };
}

function checkIn(body: string): SpamCheck {
  const read = answerShape.safeParse(parsed(body));
  if (!read.success) throw new Error('its answer cannot be understood');
  const { action, is_skipped: isSkipped, score, symbols } = read.data;
  // It also says so of the test message GTUBE, which it rejects.
  if (isSkipped && action === 'no action') return unscored('it skipped the message');
  const counted = Object.entries(symbols)
    .map(([name, symbol]) => ({ name: plain(name), score: rounded(symbol.score) }))
    .sort((one, other) => Math.abs(other.score) - Math.abs(one.score));
  return { score: rounded(score), symbols: counted.slice(0, mostSymbols), why: null };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const rounded = (score: number) => Math.round(score * 100) / 100;

/** Its words are shown to people. */
const plain = (text: string) => truncate(text.replace(/[^\x21-\x7e]+/g, ' ').trim(), 64);

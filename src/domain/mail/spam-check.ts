// What a spam filter says of a message, and what follows from it.

import { heldText } from './held-texts.ts';

export interface SpamCheck {
  /** Null: the filter could not say; `why` does. */
  score: number | null;
  /** The rules that counted most. */
  symbols: { name: string; score: number }[];
  why: string | null;
}

export interface SpamEnvelope {
  /** Empty for the empty return path, null when unknown. */
  from: string | null;
  to: string | null;
  /** The address that handed the message over. */
  client: string | null;
}

/** `down`: it cannot be asked about any message. */
type Scored = { kind: 'answered'; check: SpamCheck } | { kind: 'down'; why: string };

export interface SpamFilter {
  check(message: Uint8Array, envelope: SpamEnvelope): Promise<Scored>;
  isUp(): Promise<boolean>;
  /** When a message was checked last; null before the first. */
  wasUp(): boolean | null;
}

export const unscored = (why: string): SpamCheck => ({ score: null, symbols: [], why });

interface SpamThresholds {
  spam_hold_score: number | null;
  spam_mark_score: number | null;
}

/**
 * Only a new ticket of a sender who is proven is marked: anyone can write another's address, and what comes next from
 * an address with spam is held.
 */
export function spamFate(
  check: SpamCheck | null,
  { spam_hold_score: hold, spam_mark_score: mark }: SpamThresholds,
  { isReply, verdict }: { isReply: boolean; verdict: 'pass' | 'fail' | 'none' },
): { fate: 'held' | 'marked'; reason: string } | null {
  const score = check?.score ?? null;
  const reaches = (threshold: number | null) => score !== null && threshold !== null && score >= threshold;
  if (score === null || (!reaches(hold) && !reaches(mark))) return null;
  const isMarked = reaches(mark) && !isReply && verdict === 'pass';
  return { fate: isMarked ? 'marked' : 'held', reason: heldText('spam_score', { score }) };
}

/** With the rules that counted most. */
export function spamInWords({ score, symbols, why }: SpamCheck): string {
  if (score === null) return why ?? '';
  const named = symbols.map((symbol) => `${symbol.name} ${symbol.score}`).join(', ');
  return named === '' ? String(score) : `${score} (${named})`;
}

// Access tokens of mailboxes: in memory, asked for when one is needed, once for all who wait.

import type { Clock } from '../base/clock.ts';
import { minuteMs } from '../domain/instant.ts';
import type { MailApp } from '../domain/mail/consent.ts';
import type { AllowList } from '../net/allow-list.ts';
import type { Tokens } from './mailbox-access.ts';

/** A mailbox as its tokens need it. */
export interface TokenOwner {
  id: number;
  /** Changes when someone consents again. */
  version: string;
  app: MailApp;
  refreshToken: string;
  /** Keeps a new refresh token that came in place of the old one. */
  onRotated: (refreshToken: string, until: number | null) => Promise<void>;
}

export interface MailTokens {
  /** Throws ConsentNeeded or TokenFault. @param isRefused the server did not take the last one */
  accessToken(owner: TokenOwner, isRefused?: boolean): Promise<string>;
}

export interface MailTokenSettings {
  allow: AllowList;
  timeoutMs: number;
  clock: Clock;
}

/** Asked for so long before the end, so that none ends on its way. */
const earlyMs = 2 * minuteMs;

export function createMailTokens(settings: MailTokenSettings): MailTokens {
  const known = new Map<number, { version: string; asked: Promise<Tokens>; tokens: Tokens | null }>();

  async function ask({ app, refreshToken, onRotated }: TokenOwner): Promise<Tokens> {
    const { createProvider } = await import('./mailbox-exchange.ts');
    const tokens = await createProvider(app, settings).refresh(refreshToken);
    if (tokens.refreshToken !== null && tokens.refreshToken !== refreshToken)
      await onRotated(tokens.refreshToken, tokens.refreshUntil);
    return tokens;
  }

  return {
    async accessToken(owner, isRefused = false) {
      const last = known.get(owner.id);
      const isOwn = last?.version === owner.version;
      const isGood = isOwn && (last.tokens === null || last.tokens.until - earlyMs > settings.clock.now());
      if (isGood && !(isRefused && last.tokens !== null)) return (await last.asked).accessToken;
      const entry = { version: owner.version, asked: ask(owner), tokens: null as Tokens | null };
      known.set(owner.id, entry);
      try {
        entry.tokens = await entry.asked;
        return entry.tokens.accessToken;
      } catch (error) {
        if (known.get(owner.id) === entry) known.delete(owner.id);
        throw error;
      }
    },
  };
}

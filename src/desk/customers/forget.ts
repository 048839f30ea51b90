// "Forget this browser": ends what it may read, and what it has proved (docs/spec/customer.md#cookies).

import type { Tx } from '../../engine/database.ts';
import { deleteProofs, hasProofs } from '../../store/customers/proofs.ts';
import type { Context } from '../context.ts';
import { endList } from './lists.ts';
import { proofHash } from './proofs.ts';
import { endVisit, siteOfVisit } from './visits.ts';

/** The secrets in a browser's cookies: visits by ticket, lists by site. */
interface BrowserSecrets {
  visits: ReadonlyMap<string, string>;
  lists: ReadonlyMap<number, string>;
  proof: string | null;
}

/** @param siteId null for all sites. Visits that have ended already are forgotten whatever the site */
export function forgetBrowser(
  tx: Tx,
  ctx: Context,
  { visits, lists, proof }: BrowserSecrets,
  siteId: number | null,
): { tickets: string[]; sites: number[]; hasProofsLeft: boolean } {
  const isMeant = (of: number | null) => siteId === null || of === null || of === siteId;
  const tickets = [...visits].filter(([, secret]) => isMeant(siteOfVisit(tx, ctx.seal, secret, ctx.now)));
  for (const [, secret] of tickets) endVisit(tx, ctx.seal, secret);
  const sites = [...lists].filter(([of]) => isMeant(of));
  for (const [, secret] of sites) endList(tx, ctx.seal, secret);
  const browser = proof === null ? null : proofHash(ctx.seal, proof);
  if (browser !== null) deleteProofs(tx, browser, siteId);
  return {
    tickets: tickets.map(([ulid]) => ulid),
    sites: sites.map(([of]) => of),
    hasProofsLeft: browser !== null && hasProofs(tx, browser),
  };
}

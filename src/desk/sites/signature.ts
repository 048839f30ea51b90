// The signature under a reply, for the agent who asks (docs/spec/templates.md#signatures).

import { invalid } from '../../domain/errors.ts';
import { signatureOf, signatureProblems } from '../../domain/sites/signature.ts';
import { publicName } from '../../domain/sites/site.ts';
import { referenceOf } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { agentById } from '../../store/people/agents.ts';
import type { Site } from '../../store/sites/sites.ts';
import { authorise, findSite } from '../access.ts';
import type { Context } from '../context.ts';

/** @param ticketId null for an example's */
export function signatureFor(
  tx: Tx,
  ctx: Context,
  site: Site,
  ticketId: number | null,
  template = site.settings.signature,
): string {
  const agent = ctx.actor.kind === 'agent' ? agentById(tx, ctx.actor.agentId) : undefined;
  const siteName = publicName(site);
  return signatureOf(template, {
    siteName,
    agentName: agent?.name ?? siteName,
    agentSignature: agent?.signature ?? '',
    reference: ticketId === null ? '#41' : referenceOf(ticketId),
  });
}

/** @param template undefined: as it is now */
export function previewSignature(tx: Tx, ctx: Context, siteName: string, template: string | null | undefined): string {
  authorise(ctx, 'read');
  const site = findSite(tx, ctx, siteName);
  requireSignature(template, 'signature');
  return signatureFor(tx, ctx, site, null, template === undefined ? site.settings.signature : template || null);
}

export function requireSignature(template: string | null | undefined, field: string): void {
  const [problem] = signatureProblems(template ?? '');
  if (problem !== undefined) throw invalid(field, problem);
}

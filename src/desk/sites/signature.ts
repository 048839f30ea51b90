// The signature under a reply, for the agent who asks (docs/spec/templates.md#signatures).

import { invalid } from '../../domain/errors.ts';
import type { SignatureInput } from '../../domain/input/sites.ts';
import { signatureOf, signatureProblems } from '../../domain/sites/signature.ts';
import { publicName } from '../../domain/sites/site.ts';
import type { Tx } from '../../engine/database.ts';
import { agentById } from '../../store/people/agents.ts';
import type { Site } from '../../store/sites/sites.ts';
import { authorise, findSite } from '../access.ts';
import type { Context } from '../context.ts';

export function signatureFor(
  tx: Tx,
  ctx: Context,
  site: Site,
  reference: string,
  template = site.settings.signature,
): string {
  const agent = ctx.actor.kind === 'agent' ? agentById(tx, ctx.actor.agentId) : undefined;
  const siteName = publicName(site);
  return signatureOf(template, {
    siteName,
    agentName: agent?.name ?? siteName,
    agentSignature: agent?.signature ?? '',
    reference,
  });
}

/** With an example's reference, or for a ticket that has none yet. */
export function previewSignature(
  tx: Tx,
  ctx: Context,
  siteName: string,
  { signature: template, for_new_ticket: isForNew }: SignatureInput,
): string {
  authorise(ctx, 'read');
  const site = findSite(tx, ctx, siteName);
  requireSignature(template, 'signature');
  const words = template === undefined ? site.settings.signature : template || null;
  return signatureFor(tx, ctx, site, isForNew ? '' : '#41', words);
}

export function requireSignature(template: string | null | undefined, field: string): void {
  const [problem] = signatureProblems(template ?? '');
  if (problem !== undefined) throw invalid(field, problem);
}

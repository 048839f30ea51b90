// Links to the live board: who makes them, and what each may show now (docs/spec/reports.md#live-board).

import { hashSecret, randomSecret } from '../../base/crypto.ts';
import { type Actor, can, includesSite, type Scope, scopeOf } from '../../domain/actor.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { BoardLinkInput } from '../../domain/input/reports.ts';
import { mostBoardLinks } from '../../domain/reports/board.ts';
import type { Tx } from '../../engine/database.ts';
import { allBoardLinks, type BoardLink, boardLinkByHash, boardLinkRows } from '../../store/reports/board.ts';
import { siteById } from '../../store/sites/sites.ts';
import { authorise, findSite, requirePerson } from '../access.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { agentIdOf } from '../lists/saved.ts';
import { actingAgent } from '../people/acting-agent.ts';

const target = ({ id, name }: BoardLink) => ({ type: 'board_link', id, name }) as const;

const reaches = (scope: Scope, { siteIds }: BoardLink): boolean =>
  siteIds === null ? scope === 'all' : siteIds.every((id) => includesSite(scope, id));

/** Those of the caller's sites. */
export function listBoardLinks(tx: Tx, ctx: Context): BoardLink[] {
  authorise(ctx, 'manage');
  return allBoardLinks(tx).filter((link) => reaches(scopeOf(ctx.actor), link));
}

/** The secret is returned only here. Without sites it shows all that the caller sees. */
export function createBoardLink(tx: Tx, ctx: Context, input: BoardLinkInput): { link: BoardLink; secret: string } {
  authorise(ctx, 'manage');
  requirePerson(ctx);
  const count = allBoardLinks(tx).length;
  if (count >= mostBoardLinks)
    throw invalid(
      'name',
      `cannot be added: the desk has ${count} links to its board, and ${mostBoardLinks} is the limit.`,
    );
  const scope = scopeOf(ctx.actor);
  const asked = input.site_ids?.map((id) => findSite(tx, ctx, id).id) ?? (scope === 'all' ? null : scope);
  const siteIds = asked && [...new Set(asked)];
  const secret = randomSecret('hdb');
  const row = {
    ...{ name: input.name, agentId: agentIdOf(ctx.actor), siteIds },
    ...{ secretHash: hashSecret(secret), createdAt: ctx.now },
  };
  const link = boardLinkRows.insert(tx, row);
  audit(tx, ctx, { action: 'board_link.created', target: target(link), after: link });
  return { link, secret };
}

export function revokeBoardLink(tx: Tx, ctx: Context, id: number): void {
  authorise(ctx, 'manage');
  requirePerson(ctx);
  const link = boardLinkRows.get(tx, id);
  if (!link || !reaches(scopeOf(ctx.actor), link)) throw notFound('link');
  boardLinkRows.remove(tx, id);
  audit(tx, ctx, { action: 'board_link.revoked', target: target(link), before: link });
}

/** Whether who made it may still make it, and every site of it is there. */
export function isBoardLinkOpen(tx: Tx, link: BoardLink): boolean {
  const maker: Actor | null = link.agentId === null ? { kind: 'command_line' } : actingAgent(tx, link.agentId);
  if (maker === null || !can(maker, 'manage') || !reaches(scopeOf(maker), link)) return false;
  return link.siteIds === null || link.siteIds.every((id) => siteById(tx, id) !== undefined);
}

/** What it shows. 404 for one that is unknown, revoked or closed: nothing tells them apart. */
export function openBoardLink(tx: Tx, secret: string): { name: string; scope: Scope } {
  const link = boardLinkByHash(tx, hashSecret(secret));
  if (!link || !isBoardLinkOpen(tx, link)) throw notFound('link');
  return { name: link.name, scope: link.siteIds ?? 'all' };
}

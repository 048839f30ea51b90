// The link by which a mail program switches off one kind of mail (RFC 8058). It can do nothing else, and shows nothing.

import { isSameSecret } from '../../base/crypto.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { type NotificationKind, notificationKinds } from '../../domain/notifications/notification.ts';
import type { Tx } from '../../engine/database.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import type { Delivery } from '../../store/outbox/outbox.ts';
import { agentByEmail, agentById } from '../../store/people/agents.ts';
import type { Context } from '../context.ts';
import { stopReportFor } from '../reports/mailed-reports.ts';
import { savePreferences } from './preferences.ts';
import { mailOfKind } from './told.ts';

const signed = ({ seal }: Context, named: string) => `${named}.${seal.sign('unsubscribe', named)}`;

const ofReport = 'report';

/** @param what `digest`: all mail about notifications; `report7`: mails of that saved report */
export const unsubscribeTokenOf = (ctx: Context, agentId: number, what: string) => signed(ctx, `${agentId}-${what}`);

/** Null for another mail, and for one that the desk has fixed for everyone. */
export function unsubscribeToken(tx: Tx, ctx: Context, delivery: Delivery): string | null {
  const { report } = delivery.payload;
  if (report !== undefined) return unsubscribeTokenOf(ctx, report.agent_id, `${ofReport}${report.id}`);
  const what = delivery.event.slice('mail.'.length);
  const agentId = delivery.payload.told?.agent_id ?? readerOfOwnMail(tx, delivery);
  return agentId === undefined || freeKinds(tx, what).length === 0 ? null : unsubscribeTokenOf(ctx, agentId, what);
}

function readerOfOwnMail(tx: Tx, { event, recipient }: Delivery): number | undefined {
  const isOwn = notificationKinds.some((kind) => mailOfKind[kind] === null && event === `mail.${kind}`);
  return isOwn && recipient !== null ? agentByEmail(tx, recipient)?.id : undefined;
}

/** What the mail is about, without what the desk has fixed. */
function freeKinds(tx: Tx, what: string): NotificationKind[] {
  const { fixed = [] } = readDeskSettings(tx).notifications;
  return notificationKinds.filter(
    (kind) => (what === 'digest' || what === kind) && !fixed.some((one) => one === `mail.${kind}`),
  );
}

export function unsubscribe(tx: Tx, ctx: Context, token: string): void {
  const named = token.slice(0, token.indexOf('.'));
  const [id, what = ''] = named.split('-');
  const agent = isSameSecret(signed(ctx, named), token) ? agentById(tx, Number(id)) : undefined;
  if (agent === undefined) throw notFound('link');
  if (what.startsWith(ofReport)) {
    stopReportFor(tx, Number(what.slice(ofReport.length)), agent.id);
    return;
  }
  const kinds = freeKinds(tx, what);
  if (kinds.length === 0) throw conflict('This mail is fixed for everyone on this desk.', 'notification_fixed');
  const off = Object.fromEntries(kinds.map((kind) => [`mail.${kind}`, false]));
  const before = agent.notificationPreferences;
  savePreferences(tx, ctx, agent, { ...before, switches: { ...before.switches, ...off } });
}

// The desk's own settings: its name, what agents start with, and who needs a second factor (docs/spec/people.md#the-desk).

import type { DeskInput } from '../domain/input/people.ts';
import type { Tx } from '../engine/database.ts';
import { type DeskSettings, readDeskSettings, updateDeskSettings } from '../store/desk-settings.ts';
import { authorise, requireVersion } from './access.ts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import { deskNotificationsWith } from './notifications/preferences.ts';

export function readDesk(tx: Tx, ctx: Context): DeskSettings {
  authorise(ctx, 'read');
  return readDeskSettings(tx);
}

export function deskEtag({ version }: DeskSettings): string {
  return `"desk-${version}"`;
}

export function changeDesk(tx: Tx, ctx: Context, input: DeskInput, ifMatch: readonly string[] | null): DeskSettings {
  authorise(ctx, 'own');
  const before = readDeskSettings(tx);
  requireVersion(ifMatch, deskEtag(before));
  const change: Partial<DeskSettings> = {};
  if (input.name !== undefined) change.name = input.name;
  if (input.locale !== undefined) change.locale = input.locale;
  if (input.time_zone !== undefined) change.timeZone = input.time_zone;
  if (input.require_second_factor !== undefined) change.requireSecondFactor = input.require_second_factor;
  if (input.push_content !== undefined) change.pushContent = input.push_content;
  if (input.notifications !== undefined)
    change.notifications = deskNotificationsWith(before.notifications, input.notifications);
  if (input.agent_reports !== undefined) change.agentReports = input.agent_reports;
  if (Object.keys(change).length === 0) return before;
  updateDeskSettings(tx, change);
  audit(tx, ctx, {
    action: 'desk.updated',
    target: { type: 'desk', id: null, name: before.name },
    before,
    after: change,
  });
  return readDeskSettings(tx);
}

// The desk's own settings (docs/spec/people.md#the-desk).

import * as z from 'zod';
import { changeDesk, deskEtag, readDesk } from '../../desk/desk-settings.ts';
import { deskInput } from '../../domain/input/people.ts';
import { locales, secondFactorPolicies } from '../../domain/people/preferences.ts';
import { agentReports } from '../../domain/reports/metrics.ts';
import type { DeskSettings } from '../../store/desk-settings.ts';
import { answered, type Operation, operation } from '../operation.ts';
import { deskNotificationsShape, presentDeskNotifications } from '../wire/notifications/preferences.ts';
import * as shapes from '../wire/shapes.ts';
import { taggedReply } from '../write-only-answer.ts';

const deskShape = shapes.named(
  'Desk',
  z.object({
    name: z.string(),
    locale: z.enum(locales),
    time_zone: z.string(),
    require_second_factor: z.enum(secondFactorPolicies),
    push_content: z.boolean(),
    notifications: deskNotificationsShape,
    agent_reports: z.enum(agentReports),
  }),
);

function present({
  name,
  locale,
  timeZone,
  requireSecondFactor,
  pushContent,
  notifications,
  agentReports,
}: DeskSettings) {
  return {
    ...{ name, locale, time_zone: timeZone },
    ...{ require_second_factor: requireSecondFactor, push_content: pushContent, agent_reports: agentReports },
    notifications: presentDeskNotifications(notifications),
  };
}

export const deskOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/desk',
    id: 'readDesk',
    tag: 'Desk',
    summary: "Read the desk's settings",
    access: 'team',
    ability: 'read',
    hasEtag: true,
    answer: answered(200, 'The settings', shapes.one(deskShape)),
    read(tx, call) {
      const desk = readDesk(tx, call.ctx);
      return taggedReply(call, 200, { data: present(desk) }, deskEtag(desk));
    },
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/desk',
    id: 'updateDesk',
    tag: 'Desk',
    summary: "Update the desk's settings",
    description:
      'require_second_factor says who must have a second factor: no one (off), owners and admins (managers), or everyone. agent_reports says who sees what single agents did in reports: everyone (all), each only their own (own), or no one (off).',
    access: 'session',
    ability: 'own',
    needsConfirmation: true,
    hasEtag: true,
    body: deskInput,
    answer: answered(200, 'The updated settings', shapes.one(deskShape)),
    errors: [403, 412],
    write(tx, call) {
      const desk = changeDesk(tx, call.ctx, call.body, call.ifMatch);
      return taggedReply(call, 200, { data: present(desk) }, deskEtag(desk));
    },
  }),
];

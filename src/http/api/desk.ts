// The desk's own settings (docs/spec/people.md#the-desk).

import * as z from 'zod';
import { changeDesk, deskEtag, readDesk } from '../../desk/desk-settings.ts';
import { deskInput } from '../../domain/input/people.ts';
import { locales, secondFactorPolicies } from '../../domain/preferences.ts';
import type { DeskSettings } from '../../store/desk-settings.ts';
import { type Operation, operation } from '../operation.ts';
import * as shapes from '../wire/shapes.ts';
import { taggedReply } from '../write-only-answer.ts';

const deskShape = shapes.named(
  'Desk',
  z.object({
    name: z.string(),
    locale: z.enum(locales),
    time_zone: z.string(),
    require_second_factor: z.enum(secondFactorPolicies),
  }),
);

function present({ name, locale, timeZone, requireSecondFactor }: DeskSettings) {
  return { name, locale, time_zone: timeZone, require_second_factor: requireSecondFactor };
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
    answer: { status: 200, description: 'The settings', schema: shapes.one(deskShape) },
    handle: (call) =>
      call.edge.desk.read((tx) => {
        const desk = readDesk(tx, call.ctx);
        return taggedReply(call, 200, { data: present(desk) }, deskEtag(desk));
      }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/desk',
    id: 'updateDesk',
    tag: 'Desk',
    summary: "Update the desk's settings",
    description:
      'require_second_factor says who must have a second factor: no one (off), owners and admins (managers), or everyone.',
    access: 'session',
    ability: 'own',
    needsConfirmation: true,
    hasEtag: true,
    body: deskInput,
    answer: { status: 200, description: 'The updated settings', schema: shapes.one(deskShape) },
    errors: [403, 412],
    handle: (call) =>
      call.commit((tx) => {
        const desk = changeDesk(tx, call.ctx, call.body, call.ifMatch);
        return taggedReply(call, 200, { data: present(desk) }, deskEtag(desk));
      }),
  }),
];

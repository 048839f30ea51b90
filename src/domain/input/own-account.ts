// Input for what agents change of themselves, in the wire's names.

import * as z from 'zod';
import { locales, notices, noticeWays, themes } from '../people/preferences.ts';
import { line, optionalParagraph, timeZone } from './fields.ts';

const switches = z.object(Object.fromEntries(notices.map((notice) => [notice, z.boolean().optional()])));

export const ownAccountInput = z.object({
  name: line(255)
    .optional()
    .meta({ examples: ['Kim Sato'] }),
  locale: z.enum(locales).nullish(),
  time_zone: timeZone().nullish(),
  signature: optionalParagraph(2000).optional(),
  theme: z.enum(themes).optional(),
  notifications: z.object(Object.fromEntries(noticeWays.map((way) => [way, switches.optional()]))).optional(),
  shortcuts: z.boolean().optional(),
});
export type OwnAccountInput = z.output<typeof ownAccountInput>;

// Input for saved reports, in the wire's names. What a query holds is checked against that of the report.

import * as z from 'zod';
import { reportNames } from '../reports/metrics.ts';
import { lastDayOfMonth, mostReportReaders, scheduleUnits } from '../reports/schedule.ts';
import { weekdays } from '../sla/calendar.ts';
import { line, resourceId, timeOfDay, timeZone } from './fields.ts';
import { filterInput } from './views.ts';

const schedule = z.object({
  every: z.enum(scheduleUnits).meta({ examples: ['week'] }),
  weekday: z
    .enum(weekdays)
    .optional()
    .meta({ description: 'Of a weekly mail; without it, Monday.', examples: ['mon'] }),
  day: z.int().min(1).max(lastDayOfMonth).optional().meta({ description: 'Of a monthly mail; without it, the first.' }),
  at: timeOfDay().meta({ examples: ['08:00'] }),
  time_zone: timeZone(),
  agent_ids: z
    .array(resourceId())
    .min(1)
    .max(mostReportReaders)
    .meta({ description: 'The agents who get it, each with the numbers of their own sites.' }),
});
export type ScheduleInput = z.output<typeof schedule>;

export const savedReportInput = z.object({
  name: line(80).meta({ examples: ['Weekly response times'] }),
  report: z.enum(reportNames).meta({ examples: ['response'] }),
  query: filterInput.optional().meta({
    description:
      'Names and types of the query of GET /reports/{name}, without format. Lists are arrays. period, such as last_7_days, stands for dates where the console opens it.',
    examples: [{ group_by: 'week', priority_id: [1] }],
  }),
  is_shared: z.boolean().optional(),
  schedule: schedule.nullish().meta({ description: 'When it is mailed; null: never.' }),
});
export type SavedReportInput = z.output<typeof savedReportInput>;

export const savedReportChangeInput = savedReportInput.partial();
export type SavedReportChangeInput = z.output<typeof savedReportChangeInput>;

export const boardLinkInput = z.object({
  name: line(80).meta({ examples: ['Screen in the kitchen'] }),
  site_ids: z
    .array(resourceId())
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'Without it, every site that you see.', examples: [[1]] }),
});
export type BoardLinkInput = z.output<typeof boardLinkInput>;

export const boardSecretInput = z.object({
  secret: z
    .string()
    .min(1)
    .max(100)
    .meta({ examples: ['hdb_…'] }),
});

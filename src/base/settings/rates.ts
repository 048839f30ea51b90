// Settings of the rate limits.

import * as z from 'zod';
import { entry } from './entry.ts';

const perMinute = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'a whole number; 0 turns the limit off' })
  .transform(Number);

export const rateSettings = {
  HELPDESK_RATE_INGEST_CALLER: entry(
    perMinute,
    '30',
    'Ingest requests per minute from each client address; 0 means no limit.',
  ),
  HELPDESK_RATE_INGEST_SITE: entry(perMinute, '120', 'Ingest requests per minute for each site; 0 means no limit.'),
  HELPDESK_RATE_OTHER: entry(
    perMinute,
    '60',
    'Other requests per minute for each token, or for each address without one; 0 means no limit.',
  ),
  HELPDESK_RATE_SESSION: entry(
    perMinute,
    '600',
    'Requests per minute for each session of an agent who signed in; 0 means no limit.',
  ),
  HELPDESK_RATE_INBOUND: entry(
    perMinute,
    '60',
    'Inbound mail requests per minute for each inbound secret; 0 means no limit.',
  ),
  HELPDESK_RATE_INBOUND_SENDER: entry(
    perMinute,
    '30',
    'Messages per minute from one sender to one site that are filed at once; further ones wait. 0 means no limit.',
  ),
  HELPDESK_RATE_AUTH_FAILURES: entry(
    perMinute,
    '10',
    'Requests with an unknown credential, and failed sign-ins, per minute from each address; 0 means no limit.',
  ),
};

// A mail that the desk sends to a mailbox itself, to know that mail still goes out and comes in (docs/spec/mailboxes.md#canary).

import { dayMs, minuteMs } from '../instant.ts';

export const canaryEveryMs = 10 * minuteMs;
/** Then the owners are told. */
export const canaryLateMs = 15 * minuteMs;
export const canaryKeptMs = 7 * dayMs;

/** In lower case, as mail servers are asked for it. */
export const canaryHeader = 'x-helpdesk-canary';

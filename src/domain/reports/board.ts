// The live board (docs/spec/reports.md#live-board).

import { minuteMs } from '../instant.ts';

export const mostBoardLinks = 50;

/** Who has used the desk within this time is there. */
export const isThereMs = 10 * minuteMs;

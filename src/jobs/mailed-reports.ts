// Queues the saved reports whose time has come (src/desk/reports/mailed-reports.ts).

import type { Desk } from '../desk/desk.ts';
import { mailDueReports } from '../desk/reports/mailed-reports.ts';

export async function mailAllReports(desk: Desk): Promise<void> {
  while (await desk.write((tx) => mailDueReports(tx, desk.context({ kind: 'desk' }, 'mailed-reports'))));
}

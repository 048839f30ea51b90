// Why the desk refused a merge or its way back.

import { t } from '../on-demand-messages.ts';
import { reasons } from './change.ts';

Object.assign(reasons, {
  test_ticket: () => t.testTicket,
  not_merged: () => t.mergeFinal,
  merge_final: () => t.mergeFinal,
  author_erased: () => t.mergeFinal,
  target_merged: () => t.targetMerged,
  messages_split: () => t.messagesSplit,
});

// Why the desk refused a change that is made with a part loaded on demand: a merge, its way back, a status.

import { t } from '../on-demand-messages.ts';
import { reasons } from './change.ts';

Object.assign(reasons, {
  test_ticket: () => t.testTicket,
  not_merged: () => t.mergeFinal,
  merge_final: () => t.mergeFinal,
  author_erased: () => t.mergeFinal,
  target_merged: () => t.targetMerged,
  messages_split: () => t.messagesSplit,
  no_such_transition: () => t.noSuchTransition,
});

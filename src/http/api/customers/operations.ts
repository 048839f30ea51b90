// All operations of customers' pages.

import type { Operation } from '../../operation.ts';
import { customerCodeOperations } from './codes.ts';
import { customerLinkOperations } from './links.ts';
import { customerRatingOperations } from './ratings.ts';
import { customerSessionOperations } from './session.ts';
import { customerThreadOperations } from './thread.ts';
import { customerWriteOperations } from './write.ts';

export const customerPageOperations: readonly Operation[] = [
  ...customerLinkOperations,
  ...customerCodeOperations,
  ...customerThreadOperations,
  ...customerWriteOperations,
  ...customerRatingOperations,
  ...customerSessionOperations,
];

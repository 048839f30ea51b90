// All operations of customers' pages.

import type { Operation } from '../../operation.ts';
import { customerLinkOperations } from './links.ts';
import { customerThreadOperations } from './thread.ts';

export const customerPageOperations: readonly Operation[] = [...customerLinkOperations, ...customerThreadOperations];

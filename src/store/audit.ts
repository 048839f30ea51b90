// The audit log: rows are only added.

import { auditLog } from './schema.ts';
import { insertInto } from './statements.ts';

export const insertAuditRow = insertInto(auditLog);

// An import in progress, and its refusals.

import { DeskError } from '../../domain/errors.ts';
import type { RowOf } from '../../domain/input/transfer.ts';
import type { SiteSlaPolicy } from '../../domain/sites/site.ts';
import { validatePolicy } from '../../domain/sla/policy.ts';
import type { Tx } from '../../engine/database.ts';
import { type Import, importedRow } from '../../store/transfer/imports.ts';
import { toPolicy } from '../sites/settings.ts';
import type { ErasedPeople } from './import-erased.ts';

export interface SiteImport {
  readonly entry: Import;
  readonly siteId: number;
  readonly slug: string;
  readonly site: RowOf<'site'>;
  readonly erased: ErasedPeople;
  readonly isResumed: boolean;
}

export function isCopy({ site, slug }: SiteImport): boolean {
  return slug !== site.slug;
}

export function refused(message: string): DeskError {
  return new DeskError('invalid', message);
}

export function requirePolicy(policy: SiteSlaPolicy, at: number): void {
  const [fault] = Object.entries(validatePolicy(toPolicy(policy), at));
  if (fault) throw refused(`its SLA policy is not valid: ${fault[0]}: ${fault[1].join(' ')}`);
}

export function newUlidOf(tx: Tx, { entry }: SiteImport, before: string): string {
  return importedRow(tx, entry.id, 'ulid', before)?.newUlid ?? before;
}

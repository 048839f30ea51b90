// The role of a machine, which can change without a restart: the primary writes, replicas read.

import { DeskError } from '../domain/errors.ts';

/** `conflict`: two machines claim to be the primary. `unknown`: LiteFS does not answer. Neither writes. */
export type Role = 'primary' | 'replica' | 'conflict' | 'unknown';

export function refusalOf(role: Role, primary: string | null): DeskError {
  const sentences: Record<Role, string> = {
    primary: 'This machine has just become the primary. Try again.',
    replica:
      primary === null
        ? 'There is no primary at the moment, so nothing was stored.'
        : `This machine is a replica and cannot write; the primary is ${primary}. Nothing was stored.`,
    conflict: 'Two machines claim to be the primary, so neither writes. Nothing was stored.',
    unknown: 'LiteFS does not answer on this machine, so it cannot write. Nothing was stored.',
  };
  return new DeskError('unavailable', sentences[role], { retryAfterSeconds: 2 });
}

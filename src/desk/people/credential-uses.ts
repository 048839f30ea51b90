// When tokens and sessions were last used, written in batches.

import type { CredentialUse } from '../../domain/credential-use.ts';
import type { Tx } from '../../store/database.ts';
import { markTeamTokenUsed } from '../../store/people.ts';
import { markSessionUsed } from '../../store/sessions.ts';

const mark = { token: markTeamTokenUsed, session: markSessionUsed } as const;

export function noteCredentialUses(tx: Tx, uses: readonly CredentialUse[]): void {
  for (const { kind, id, at } of uses) mark[kind](tx, id, at);
}

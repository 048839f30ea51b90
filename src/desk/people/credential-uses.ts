// When tokens and sessions were last used, written in batches.

import type { CredentialUse } from '../../domain/people/credential-use.ts';
import type { Tx } from '../../engine/database.ts';
import { markSessionUsed } from '../../store/people/sessions.ts';
import { markTeamTokenUsed } from '../../store/people/team-tokens.ts';

const mark = { token: markTeamTokenUsed, session: markSessionUsed } as const;

export function noteCredentialUses(tx: Tx, uses: readonly CredentialUse[]): void {
  for (const { kind, id, at } of uses) mark[kind](tx, id, at);
}

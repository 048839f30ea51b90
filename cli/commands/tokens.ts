// helpdesk token: team tokens.

import type { presentToken } from '../../src/http/wire/people/people.ts';
import { operationGroup } from '../operation-command.ts';

export const tokenCommands = operationGroup(
  'token',
  'team tokens',
  'helpdesk token issue --name me --abilities read,write',
  [
    {
      usage: 'issue',
      does: 'create a team token and print it; it is shown only once',
      example: 'helpdesk token issue --name console --abilities read,write --expires 90d',
      operation: 'tokens/issueToken',
      without: ['site'],
      defaults: { abilities: 'read,write' },
      meanings: {
        abilities: 'what it may do (default: read,write)',
        name: 'what the token is for',
        site_id: 'restrict the token to one site: id, ULID or slug',
      },
      print: ({ data, token }: { data: ReturnType<typeof presentToken>; token: string }) =>
        `Token ${data.id} (${data.abilities.join(', ')}), shown only once:\n${token}`,
    },
    {
      usage: 'list',
      does: 'list team tokens and when each was last used',
      example: 'helpdesk token list',
      operation: 'tokens/listTokens',
      columns: ['id', 'name', 'abilities', 'site', 'expires=expires_at', 'last used=last_used_at'],
    },
    {
      usage: 'revoke <id>',
      does: 'revoke a team token, with immediate effect',
      example: 'helpdesk token revoke 3 --yes',
      operation: 'tokens/revokeToken',
      question: ({ words }) => `Revoke token ${words.id}?`,
      print: (_answer, { words }) => `Token ${words.id} was revoked.`,
    },
  ],
);

// Team tokens over HTTP, for people who signed in (docs/spec/people.md#tokens).

import * as z from 'zod';
import { changeToken, findToken, issueToken, listTokens, revokeToken, tokenEtag } from '../../../desk/people/tokens.ts';
import { tokenChangeInput, tokenInput } from '../../../domain/input/people.ts';
import type { TeamToken } from '../../../store/people/team-tokens.ts';
import { answered, type Call, type Operation, operation } from '../../operation.ts';
import { presentToken, tokenShape } from '../../wire/people/people.ts';
import { pageOrWhole, pagingQuery } from '../../wire/queries.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { taggedReply } from '../../write-only-answer.ts';
import { pageReply, wholeOrPage } from '../lists.ts';
import { idOf } from '../parameters.ts';

const managing = { tag: 'Tokens', access: 'session', ability: 'manage' } as const;

const tagged = (call: Call, token: TeamToken) =>
  taggedReply(call, 200, { data: presentToken(token) }, tokenEtag(token));
const tokenId = (call: Call) => idOf(call, 'token');

export const tokenOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tokens',
    id: 'listTokens',
    ...managing,
    summary: 'List team tokens',
    description: 'The tokens of your sites. Only callers who see all sites see tokens of the whole desk.',
    query: pagingQuery,
    answer: answered(200, wholeOrPage, shapes.page(tokenShape)),
    errors: [403],
    handle: (call) => {
      const page = pageOrWhole(call.query);
      const { rows, total } = call.edge.desk.read((tx) =>
        listTokens(tx, call.ctx, page.perPage, (page.page - 1) * page.perPage),
      );
      return pageReply(call, rows.map(presentToken), page, total);
    },
  }),
  operation({
    method: 'POST',
    path: '/api/v1/tokens',
    id: 'issueToken',
    ...managing,
    summary: 'Issue a team token',
    description: 'The token is shown only in this answer. It cannot have abilities or sites that you do not have.',
    needsConfirmation: true,
    body: tokenInput,
    answer: answered(201, 'The token and its secret', z.object({ data: tokenShape, token: z.string() })),
    errors: [403],
    write(tx, call) {
      const { token, secret } = issueToken(tx, call.ctx, call.body);
      return jsonReply(201, { data: presentToken(token), token: secret });
    },
  }),
  operation({
    method: 'GET',
    path: '/api/v1/tokens/{id}',
    id: 'readToken',
    ...managing,
    summary: 'Read a team token',
    hasEtag: true,
    answer: answered(200, 'The token', shapes.one(tokenShape)),
    errors: [403, 404],
    read: (tx, call) => tagged(call, findToken(tx, call.ctx, tokenId(call))),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/tokens/{id}',
    id: 'updateToken',
    ...managing,
    summary: 'Update a team token',
    description:
      'The site of a token cannot change. You must have all its abilities and sites yourself, before and after the change.',
    needsConfirmation: true,
    hasEtag: true,
    body: tokenChangeInput,
    answer: answered(200, 'The updated token', shapes.one(tokenShape)),
    errors: [403, 404, 412],
    write: (tx, call) => tagged(call, changeToken(tx, call.ctx, tokenId(call), call.body, call.ifMatch)),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    id: 'revokeToken',
    ...managing,
    summary: 'Revoke a team token',
    description: 'The token stops working at once, and its event streams end.',
    needsConfirmation: true,
    answer: answered(204, 'Revoked', null),
    errors: [403, 404],
    write(tx, call) {
      revokeToken(tx, call.ctx, tokenId(call));
      return emptyReply(204);
    },
  }),
];

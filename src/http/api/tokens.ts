// Team tokens over HTTP, for people who signed in (docs/spec/people.md#tokens).

import * as z from 'zod';
import { changeToken, issueToken, listTokens, revokeToken } from '../../desk/people/tokens.ts';
import { tokenChangeInput, tokenInput } from '../../domain/input/people.ts';
import { type Call, type Operation, operation } from '../operation.ts';
import { presentToken, tokenShape } from '../wire/people.ts';
import { pageOrWhole, pagingQuery } from '../wire/queries.ts';
import { emptyReply, jsonReply } from '../wire/respond.ts';
import * as shapes from '../wire/shapes.ts';
import { pageReply, wholeOrPage } from './lists.ts';
import { idOf } from './parameters.ts';

const tokenId = (call: Call) => idOf(call, 'token');

export const tokenOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/api/v1/tokens',
    id: 'listTokens',
    tag: 'Tokens',
    summary: 'List team tokens',
    description: 'The tokens of your sites. Only callers who see all sites see tokens of the whole desk.',
    access: 'session',
    ability: 'manage',
    query: pagingQuery,
    answer: { status: 200, description: wholeOrPage, schema: shapes.page(tokenShape) },
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
    tag: 'Tokens',
    summary: 'Issue a team token',
    description: 'The token is shown only in this answer. It cannot have abilities or sites that you do not have.',
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    body: tokenInput,
    answer: {
      status: 201,
      description: 'The token and its secret',
      schema: z.object({ data: tokenShape, token: z.string() }),
    },
    errors: [403],
    handle: (call) =>
      call.commit((tx) => {
        const { token, secret } = issueToken(tx, call.ctx, call.body);
        return jsonReply(201, { data: presentToken(token), token: secret });
      }),
  }),
  operation({
    method: 'PATCH',
    path: '/api/v1/tokens/{id}',
    id: 'updateToken',
    tag: 'Tokens',
    summary: 'Update a team token',
    description:
      'The site of a token cannot change. You must have all its abilities and sites yourself, before and after the change.',
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    body: tokenChangeInput,
    answer: { status: 200, description: 'The updated token', schema: shapes.one(tokenShape) },
    errors: [403, 404],
    handle: (call) =>
      call.commit((tx) => jsonReply(200, { data: presentToken(changeToken(tx, call.ctx, tokenId(call), call.body)) })),
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    id: 'revokeToken',
    tag: 'Tokens',
    summary: 'Revoke a team token',
    description: 'The token stops working at once, and its event streams end.',
    access: 'session',
    ability: 'manage',
    needsConfirmation: true,
    answer: { status: 204, description: 'Revoked', schema: null },
    errors: [403, 404],
    handle: (call) =>
      call.commit((tx) => {
        revokeToken(tx, call.ctx, tokenId(call));
        return emptyReply(204);
      }),
  }),
];

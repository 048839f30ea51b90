// The live board and its links (docs/spec/reports.md#live-board).

import * as z from 'zod';
import { createBoardLink, listBoardLinks, revokeBoardLink } from '../../../desk/reports/board-links.ts';
import { boardLinkInput, boardSecretInput } from '../../../domain/input/reports.ts';
import { answered, type Operation, operation } from '../../operation.ts';
import { boardLinkShape, boardShape, presentBoardLink, readBoard } from '../../wire/reports/board.ts';
import { emptyReply, jsonReply } from '../../wire/respond.ts';
import * as shapes from '../../wire/shapes.ts';
import { idOf } from '../parameters.ts';

const managing = { tag: 'Reports', access: 'session', ability: 'manage' } as const;

export const boardOperations: readonly Operation[] = [
  operation({
    method: 'POST',
    path: '/api/v1/reports/board',
    id: 'readBoard',
    tag: 'Reports',
    access: 'customer',
    summary: 'Read the live board',
    description:
      'For a screen with a link, and no one who signs in. The secret is what stands after the # of the link. The numbers name no one, and are at most five seconds old.',
    isDryRun: true,
    body: boardSecretInput,
    answer: answered(200, 'The numbers of this moment', shapes.one(boardShape)),
    errors: [404],
    handle: async ({ edge, body }) => jsonReply(200, { data: await readBoard(edge.desk, body.secret) }),
  }),
  operation({
    method: 'GET',
    path: '/api/v1/reports/board-links',
    id: 'listBoardLinks',
    ...managing,
    summary: 'List the links to the live board',
    description: 'Those of your sites, without their secrets.',
    answer: answered(200, 'All of them', z.object({ data: z.array(boardLinkShape) })),
    read: (tx, call) =>
      jsonReply(200, { data: listBoardLinks(tx, call.ctx).map((link) => presentBoardLink(link, tx)) }),
  }),
  operation({
    method: 'POST',
    path: '/api/v1/reports/board-links',
    id: 'createBoardLink',
    ...managing,
    summary: 'Make a link to the live board',
    description:
      'Everyone who has it sees the numbers of its sites until it is revoked. It is shown only in this answer.',
    needsConfirmation: true,
    body: boardLinkInput,
    answer: answered(201, 'The link', z.object({ data: boardLinkShape, url: z.string() })),
    errors: [403, 404],
    write(tx, call) {
      const { link, secret } = createBoardLink(tx, call.ctx, call.body);
      return jsonReply(201, {
        data: presentBoardLink(link, tx),
        url: `${call.edge.baseUrl}/reports/board#${secret}`,
      });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/api/v1/reports/board-links/{id}',
    id: 'revokeBoardLink',
    ...managing,
    summary: 'Revoke a link to the live board',
    description: 'Screens that show it go blank within half a minute.',
    answer: answered(204, 'Revoked', null),
    errors: [403, 404],
    write(tx, call) {
      revokeBoardLink(tx, call.ctx, idOf(call, 'link'));
      return emptyReply(204);
    },
  }),
];

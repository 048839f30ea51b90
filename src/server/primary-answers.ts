// A machine whose database this executable cannot use: the primary answers all its requests, pages as well as the API.

import { systemClock } from '../base/clock.ts';
import { newUlid } from '../base/ids.ts';
import { errorFields, type Log } from '../base/log.ts';
import type { Cluster } from '../cluster/membership.ts';
import { peerHeader } from '../cluster/peers.ts';
import { DeskError } from '../domain/errors.ts';
import { crashReply, errorReply, toResponse } from '../http/wire/respond.ts';

/** @param why the answer where none can be forwarded. Nothing is forwarded twice. */
export async function primaryAnswers(
  cluster: Pick<Cluster, 'isPrimary' | 'forward'>,
  request: Request,
  client: string,
  why: string,
  log: Log,
): Promise<Response> {
  const requestId = newUlid(systemClock.now());
  try {
    if (cluster.isPrimary() || request.headers.has(peerHeader))
      throw new DeskError('unavailable', why, { retryAfterSeconds: 2 });
    return await cluster.forward({ request, client, requestId });
  } catch (error) {
    if (error instanceof DeskError) return toResponse(errorReply(error, requestId));
    log.error(errorFields(error), 'request crashed');
    return toResponse(crashReply(requestId));
  }
}

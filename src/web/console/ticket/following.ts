// Following and muting a ticket, each for oneself.

import type { Following } from '../../../domain/notifications/notification.ts';
import { announceRefusal } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { storeRow } from '../tickets/cache.ts';
import { tellChanged } from '../tickets/change.ts';

export async function setFollowing(ulid: string, following: Following): Promise<void> {
  const answer = await ask('PUT', `/tickets/${ulid}/following`, { following });
  if (!answer.isOk) return announceRefusal(answer.refusal);
  storeRow({ ulid, following });
  tellChanged(ulid, { following });
}

// The held mail of several sites, newest first.

import type * as z from 'zod';
import type { inboundMailShape } from '../../../http/wire/inbound-mail.ts';
import type { Refusal } from '../../shared/api.ts';
import { ask } from '../../shared/signed-in.ts';

export type HeldMail = z.output<typeof inboundMailShape>;

export interface Loaded {
  mails: HeldMail[];
  hasMore: boolean;
  refusal: Refusal | null;
}

const perSite = 50;
const atOnce = 4;

export async function heldMailOf(siteIds: readonly number[]): Promise<Loaded> {
  const loaded: Loaded = { mails: [], hasMore: false, refusal: null };
  const left = [...siteIds];
  async function next(): Promise<void> {
    for (let site = left.shift(); site !== undefined; site = left.shift()) {
      const path = `/sites/${site}/inbound-mail?outcome=held&per_page=${perSite}`;
      const answer = await ask<{ data: HeldMail[]; meta: { total: number } }>('GET', path);
      if (!answer.isOk) {
        loaded.refusal = answer.refusal;
        continue;
      }
      loaded.mails.push(...answer.data.data);
      loaded.hasMore ||= answer.data.meta.total > answer.data.data.length;
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next));
  loaded.mails.sort((one, other) => other.received_at.localeCompare(one.received_at));
  return loaded;
}

// A desktop notification for each, and one sound for all.

import { showOnDesktop } from '../push/device.ts';
import type { Due } from './due.ts';
import { play } from './sound.ts';
import { placeOf, toldText, toldTitle } from './told.ts';

export async function ring({ shown, hasSound }: Due): Promise<void> {
  if (hasSound) void play();
  for (const told of shown) {
    const { id, kind, ticket, excerpt, detail, created_at: at } = told;
    const title = toldTitle(told);
    const body = [toldText(told), excerpt ?? detail].filter((text) => text !== null && text !== title).join('\n');
    // A push about the same has the same tag, and takes its place.
    const known = { id: `notification ${id}`, tag: ticket?.ulid ?? kind, at: Date.parse(at) };
    await showOnDesktop({ ...known, title, body, path: placeOf(told) });
  }
}

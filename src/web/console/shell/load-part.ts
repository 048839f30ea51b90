// Parts of the console that are loaded on demand.

import { now } from '../../shared/clock.ts';
import { language, loadMessages } from '../../shared/messages.ts';

const reloadedKey = 'helpdesk.reloaded';
const patienceMs = 60_000;

/**
 * A part with its messages. After an upgrade of the desk the files of an open page are gone: then the page loads itself
 * again, once. Throws if the part cannot be had.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    const part = await load();
    // Its messages were added with its code.
    await loadMessages(language());
    return part;
  } catch (error) {
    if (!navigator.onLine || wasReloaded()) throw error;
    location.reload();
    return await new Promise<never>(() => undefined);
  }
}

function wasReloaded(): boolean {
  try {
    const at = Number(sessionStorage.getItem(reloadedKey) ?? 0);
    if (now() - at < patienceMs) return true;
    sessionStorage.setItem(reloadedKey, String(now()));
    return false;
  } catch {
    // Without storage the page could reload itself for ever.
    return true;
  }
}

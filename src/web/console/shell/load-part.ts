// Parts of the console that are loaded on demand.

import { language, loadMessages } from '../../shared/messages.ts';
import { noteMissingPart } from '../live/upgrade.ts';

/** A part with its messages. Throws if it cannot be had. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    const part = await load();
    // Its messages were added with its code.
    await loadMessages(language());
    return part;
  } catch (error) {
    await noteMissingPart();
    throw error;
  }
}

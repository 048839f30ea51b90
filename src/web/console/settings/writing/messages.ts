// The messages of what a site writes: senders, its signature, and the mails of the desk.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SettingsWritingMessages } from '../../../messages/console/en/settings-writing.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<SettingsWritingMessages, SettingsMessages & ShellMessages>(catalogues.settings);

// The messages of the settings of macros.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SettingsMacrosMessages } from '../../../messages/console/en/settings-macros.ts';
import type { SettingsSiteMessages } from '../../../messages/console/en/settings-site.ts';
import type { SettingsWritingMessages } from '../../../messages/console/en/settings-writing.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<
  SettingsMacrosMessages,
  SettingsMessages & SettingsSiteMessages & SettingsWritingMessages & ShellMessages
>(catalogues.settings);

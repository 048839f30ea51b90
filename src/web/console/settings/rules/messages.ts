// The messages of rules, beside those of all settings.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SettingsRulesMessages } from '../../../messages/console/en/settings-rules.ts';
import type { SettingsSiteMessages } from '../../../messages/console/en/settings-site.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<SettingsRulesMessages, SettingsMessages & SettingsSiteMessages & ShellMessages>(
  catalogues.settings,
);

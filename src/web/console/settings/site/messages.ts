// The messages of the settings of a site.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SettingsSiteMessages } from '../../../messages/console/en/settings-site.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<SettingsSiteMessages, SettingsMessages & ShellMessages>(catalogues.settings);

// The messages of the desk's own settings, with those of the profile, which names roles and factors too.

import type { ProfileMessages } from '../../../messages/console/en/profile.ts';
import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SettingsDeskMessages } from '../../../messages/console/en/settings-desk.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';
import '../../profile/messages.ts';

export const t = addMessages<SettingsDeskMessages, ProfileMessages & SettingsMessages & ShellMessages>(
  catalogues.settings,
);

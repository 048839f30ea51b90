// The messages of a site's token and removal, and of new sites.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SettingsDanger } from '../../../messages/console/en/settings-danger.ts';
import type { SettingsInboundMessages } from '../../../messages/console/en/settings-inbound.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<SettingsMessages & SettingsDanger & SettingsInboundMessages, ShellMessages>(
  catalogues.settings,
);

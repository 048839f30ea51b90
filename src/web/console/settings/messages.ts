// The messages of the settings.

import type { SettingsMessages } from '../../messages/console/en/settings.ts';
import type { SettingsInboundMessages } from '../../messages/console/en/settings-inbound.ts';
import type { SettingsPagesMessages } from '../../messages/console/en/settings-pages.ts';
import type { SettingsWebhooksMessages } from '../../messages/console/en/settings-webhooks.ts';
import type { ShellMessages } from '../../messages/console/en/shell.ts';
import { addMessages } from '../../shared/messages.ts';
import { catalogues } from '../part-messages.ts';

export const t = addMessages<
  SettingsMessages & SettingsInboundMessages & SettingsPagesMessages & SettingsWebhooksMessages,
  ShellMessages
>(catalogues.settings);

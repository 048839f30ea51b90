// The messages of the system's settings.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SettingsSystemMessages } from '../../../messages/console/en/settings-system.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<SettingsSystemMessages, SettingsMessages>(catalogues.settings);

// The messages of working hours and SLA targets, beside those of all settings.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { SlaMessages } from '../../../messages/console/en/settings-sla.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<SlaMessages, SettingsMessages & ShellMessages>(catalogues.settings);

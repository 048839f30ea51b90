// The messages of the settings that prove mail: records in DNS, trace, canary, alarms, spam filter.

import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { ProofMessages } from '../../../messages/console/en/settings-proof.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<ProofMessages, SettingsMessages & ShellMessages>(catalogues.settings);

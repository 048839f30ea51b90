// The messages of the first steps.

import type { FirstStepsMessages } from '../../../messages/console/en/first-steps.ts';
import type { SettingsMessages } from '../../../messages/console/en/settings.ts';
import type { ShellMessages } from '../../../messages/console/en/shell.ts';
import { addMessages } from '../../../shared/messages.ts';
import { catalogues } from '../../part-messages.ts';

export const t = addMessages<FirstStepsMessages, SettingsMessages & ShellMessages>(catalogues.settings);

// What the pages say in English, for tests to look for.

import { messages as composer } from '../../src/web/messages/console/en/composer.ts';
import { messages as customers } from '../../src/web/messages/console/en/customers.ts';
import { messages as details } from '../../src/web/messages/console/en/details.ts';
import { messages as firstSteps } from '../../src/web/messages/console/en/first-steps.ts';
import { messages as list } from '../../src/web/messages/console/en/list.ts';
import { messages as live } from '../../src/web/messages/console/en/live.ts';
import { messages as later } from '../../src/web/messages/console/en/on-demand.ts';
import { messages as profile } from '../../src/web/messages/console/en/profile.ts';
import { messages as reports } from '../../src/web/messages/console/en/reports.ts';
import { messages as search } from '../../src/web/messages/console/en/search.ts';
import { messages as settings } from '../../src/web/messages/console/en/settings-all.ts';
import { messages as settingsDesk } from '../../src/web/messages/console/en/settings-desk.ts';
import { messages as settingsProof } from '../../src/web/messages/console/en/settings-proof.ts';
import { messages as settingsRules } from '../../src/web/messages/console/en/settings-rules.ts';
import { messages as settingsSearch } from '../../src/web/messages/console/en/settings-search.ts';
import { messages as settingsSite } from '../../src/web/messages/console/en/settings-site.ts';
import { messages as sla } from '../../src/web/messages/console/en/settings-sla.ts';
import { messages as settingsWriting } from '../../src/web/messages/console/en/settings-writing.ts';
import { messages as shell } from '../../src/web/messages/console/en/shell.ts';
import { messages as ticket } from '../../src/web/messages/console/en/ticket.ts';
import { messages } from '../../src/web/messages/en.ts';
import { messages as signIn } from '../../src/web/messages/sign-in/en/pages.ts';

export const t = {
  ...messages,
  ...signIn,
  ...shell,
  ...list,
  ...later,
  ...search,
  ...ticket,
  ...composer,
  ...customers,
  ...details,
  ...profile,
  ...reports,
  ...settings,
  ...firstSteps,
  ...settingsDesk,
  ...settingsRules,
  ...settingsSite,
  ...settingsWriting,
  ...settingsProof,
  ...sla,
  ...settingsSearch,
  ...live,
};

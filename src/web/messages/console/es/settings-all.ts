// All messages of the settings, which browsers load as one file, in Spanish.

import { messages as firstSteps } from './first-steps.ts';
import { messages as general } from './settings.ts';
import { messages as danger } from './settings-danger.ts';
import { messages as desk } from './settings-desk.ts';
import { messages as inbound } from './settings-inbound.ts';
import { messages as macros } from './settings-macros.ts';
import { messages as pages } from './settings-pages.ts';
import { messages as proof } from './settings-proof.ts';
import { messages as rules } from './settings-rules.ts';
import { messages as search } from './settings-search.ts';
import { messages as site } from './settings-site.ts';
import { messages as sla } from './settings-sla.ts';
import { messages as system } from './settings-system.ts';
import { messages as webhooks } from './settings-webhooks.ts';
import { messages as writing } from './settings-writing.ts';

export const messages = {
  ...danger,
  ...desk,
  ...inbound,
  ...macros,
  ...proof,
  ...rules,
  ...search,
  ...site,
  ...sla,
  ...system,
  ...pages,
  ...webhooks,
  ...writing,
  ...firstSteps,
  ...general,
};

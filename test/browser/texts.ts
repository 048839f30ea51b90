// What the pages say in English, for tests to look for.

import { messages as composer } from '../../src/web/messages/console/en/composer.ts';
import { messages as customers } from '../../src/web/messages/console/en/customers.ts';
import { messages as details } from '../../src/web/messages/console/en/details.ts';
import { messages as list } from '../../src/web/messages/console/en/list.ts';
import { messages as live } from '../../src/web/messages/console/en/live.ts';
import { messages as profile } from '../../src/web/messages/console/en/profile.ts';
import { messages as shell } from '../../src/web/messages/console/en/shell.ts';
import { messages as ticket } from '../../src/web/messages/console/en/ticket.ts';
import { messages } from '../../src/web/messages/en.ts';

export const t = {
  ...messages,
  ...shell,
  ...list,
  ...ticket,
  ...composer,
  ...customers,
  ...details,
  ...profile,
  ...live,
};

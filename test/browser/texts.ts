// What the pages say in English, for tests to look for.

import { messages as composer } from '../../src/web/messages/console/en/composer.ts';
import { messages as customers } from '../../src/web/messages/console/en/customers.ts';
import { messages as details } from '../../src/web/messages/console/en/details.ts';
import { messages as later } from '../../src/web/messages/console/en/later.ts';
import { messages as list } from '../../src/web/messages/console/en/list.ts';
import { messages as live } from '../../src/web/messages/console/en/live.ts';
import { messages as profile } from '../../src/web/messages/console/en/profile.ts';
import { messages as search } from '../../src/web/messages/console/en/search.ts';
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
  ...live,
};

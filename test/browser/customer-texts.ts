// What the customers' pages say in English, for tests to look for.

import { messages as pages } from '../../src/web/messages/customer/en/pages.ts';
import { messages } from '../../src/web/messages/en.ts';

export const t = { ...messages, ...pages };

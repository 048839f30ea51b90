// Every table that the code describes.

import * as agents from './agents.ts';
import * as automation from './automation.ts';
import * as customers from './customers.ts';
import * as deliveries from './deliveries.ts';
import * as desk from './desk.ts';
import * as macros from './macros.ts';
import * as mailboxes from './mailboxes.ts';
import * as notifications from './notifications.ts';
import * as reports from './reports.ts';
import * as sideConversations from './side-conversations.ts';
import * as sites from './sites.ts';
import * as tickets from './tickets.ts';
import * as views from './views.ts';

export const allTables = {
  ...agents,
  ...automation,
  ...customers,
  ...deliveries,
  ...desk,
  ...macros,
  ...mailboxes,
  ...notifications,
  ...reports,
  ...sideConversations,
  ...sites,
  ...tickets,
  ...views,
};

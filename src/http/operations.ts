// The table of all operations, in the order in which their paths are tried.

import type { Operation } from './operation.ts';
import type { LiveFeed } from './streams/live-feed.ts';

interface Made {
  feed: LiveFeed;
  /** The OpenAPI document. */
  document: () => Promise<string>;
}

/** A file is loaded when one of its operations is first asked for: what a desk does not use costs neither its start nor its memory. */
export const operationFiles = {
  ingest: async () => (await import('./api/tickets/ingest.ts')).ingestOperations,
  'portal-sites': async () => (await import('./api/customers/portal-sites.ts')).portalSiteOperations,
  'customer-pages': async () => (await import('./api/customers/operations.ts')).customerPageOperations,
  'customer-changes': async ({ feed }: Made) =>
    (await import('./api/customers/changes.ts')).customerChangeOperations(feed),
  'portal-form': async () => (await import('./api/customers/form.ts')).portalFormOperations,
  'my-tickets': async () => (await import('./api/customers/my-tickets.ts')).ownTicketOperations,
  // Before the paths with {ticket}, which would match its own.
  bulk: async () => (await import('./api/tickets/bulk.ts')).bulkOperations,
  tickets: async () => (await import('./api/tickets/tickets.ts')).agentTicketOperations,
  'mail-frame': async () => (await import('./api/mail/mail-frame.ts')).mailFrameOperations,
  views: async () => (await import('./api/lists/views.ts')).viewOperations,
  notifications: async () => (await import('./api/notifications/notifications.ts')).notificationOperations,
  // Before the paths with {name}, which would match its own.
  board: async () => (await import('./api/reports/board.ts')).boardOperations,
  'saved-reports': async () => (await import('./api/reports/saved-reports.ts')).savedReportOperations,
  reports: async () => (await import('./api/reports/reports.ts')).reportOperations,
  customers: async () => (await import('./api/customers/customers.ts')).customerOperations,
  replies: async () => (await import('./api/tickets/replies.ts')).replyOperations,
  participants: async () => (await import('./api/tickets/participants.ts')).participantOperations,
  'side-conversations': async () => (await import('./api/tickets/side-conversations.ts')).sideConversationOperations,
  drafts: async () => (await import('./api/tickets/drafts.ts')).draftOperations,
  sla: async () => (await import('./api/sla/sla.ts')).agentSlaOperations,
  links: async () => (await import('./api/customers/ticket-links.ts')).ticketLinkOperations,
  macros: async () => (await import('./api/tickets/macros.ts')).macroOperations,
  sites: async () => (await import('./api/sites/sites.ts')).agentSiteOperations,
  'settings-file': async () => (await import('./api/sites/settings-file.ts')).settingsFileOperations,
  fields: async () => (await import('./api/sites/ticket-fields.ts')).ticketFieldOperations,
  'ticket-choices': async () => (await import('./api/sites/ticket-choices.ts')).ticketChoiceOperations,
  senders: async () => (await import('./api/sites/senders.ts')).senderOperations,
  mailboxes: async () => (await import('./api/mail/mailboxes.ts')).mailboxOperations,
  'mailbox-consents': async () => (await import('./api/mail/mailbox-consents.ts')).mailboxConsentOperations,
  'mail-apps': async () => (await import('./api/mail/mail-apps.ts')).mailAppOperations,
  templates: async () => (await import('./api/sites/mail-templates.ts')).mailTemplateOperations,
  'held-mail': async () => (await import('./api/mail/held-mail.ts')).heldMailOperations,
  'inbound-mail': async () => (await import('./api/mail/inbound-mail.ts')).inboundMailOperations,
  'spam-filter': async () => (await import('./api/mail/spam-filter.ts')).spamFilterOperations,
  trace: async () => (await import('./api/mail/trace.ts')).traceOperations,
  'arrived-mail': async () => (await import('./api/mail/arrived-mail.ts')).arrivedMailOperations,
  originals: async () => (await import('./api/tickets/originals.ts')).originalOperations,
  rules: async () => (await import('./api/rules/rules.ts')).inboundRuleOperations,
  automation: async () => (await import('./api/rules/automation.ts')).automationOperations,
  channels: async () => (await import('./api/outbox/channels.ts')).agentChannelOperations,
  agents: async () => (await import('./api/people/agents.ts')).agentOperations,
  teams: async () => (await import('./api/people/teams.ts')).teamOperations,
  tokens: async () => (await import('./api/people/tokens.ts')).tokenOperations,
  desk: async () => (await import('./api/desk.ts')).deskOperations,
  system: async () => (await import('./api/system.ts')).systemOperations,
  audit: async () => (await import('./api/audit.ts')).auditOperations,
  session: async () => (await import('./api/people/session.ts')).sessionOperations,
  'entry-links': async () => (await import('./api/people/entry-links.ts')).entryLinkOperations,
  'own-account': async () => (await import('./api/people/own-account.ts')).ownAccountOperations,
  'push-subscriptions': async () => (await import('./api/people/push-subscriptions.ts')).pushSubscriptionOperations,
  issuer: async () => (await import('./api/people/issuer.ts')).issuerOperations,
  'second-step': async () => (await import('./api/people/second-step.ts')).secondStepOperations,
  'second-factors': async () => (await import('./api/people/second-factors.ts')).secondFactorOperations,
  events: async ({ feed }: Made) => (await import('./api/events.ts')).eventOperations(feed),
  live: async ({ feed }: Made) => (await import('./api/live.ts')).liveOperations(feed),
  files: async () => (await import('./api/tickets/files.ts')).fileOperations,
  reference: async ({ document }: Made) => (await import('./api/reference.ts')).opsOperations(document),
} satisfies Record<string, (made: Made) => Promise<readonly Operation[]>>;

export type OperationFile = keyof typeof operationFiles;

const fileNames = Object.keys(operationFiles) as OperationFile[];

/** An operation before it is loaded. */
interface KnownRoute extends Pick<Operation, 'method' | 'path'> {
  file: OperationFile;
}

export interface Route extends Pick<Operation, 'method' | 'path'> {
  load: () => Operation | Promise<Operation>;
}

function createLoader(
  feed: LiveFeed,
  desk: { readonly baseUrl: string },
): (file: OperationFile) => Promise<readonly Operation[]> {
  const loaded = new Map<OperationFile, Promise<readonly Operation[]>>();
  let written: { baseUrl: string; text: string } | null = null;
  const document = async (): Promise<string> => {
    const { baseUrl } = desk;
    if (written?.baseUrl !== baseUrl) {
      const { openApiDocument } = await import('./wire/openapi.ts');
      const all = (await Promise.all(fileNames.map(load))).flat();
      written = { baseUrl, text: JSON.stringify(openApiDocument(all, baseUrl)) };
    }
    return written.text;
  };
  const load = (file: OperationFile): Promise<readonly Operation[]> => {
    const known = loaded.get(file) ?? operationFiles[file]({ feed, document });
    loaded.set(file, known);
    return known;
  };
  return load;
}

export async function allOperations(feed: LiveFeed, baseUrl: string): Promise<readonly Operation[]> {
  return (await Promise.all(fileNames.map(createLoader(feed, { baseUrl })))).flat();
}

/** What `routesOf` needs to know of them. */
export async function readKnownRoutes(): Promise<KnownRoute[]> {
  const load = createLoader({ next: () => Promise.resolve(), close: () => undefined }, { baseUrl: 'http://x' });
  const all = await Promise.all(fileNames.map(async (file) => ({ file, operations: await load(file) })));
  return all.flatMap(({ file, operations }) => operations.map(({ method, path }) => ({ method, path, file })));
}

export function routesOf(known: readonly KnownRoute[], feed: LiveFeed, desk: { readonly baseUrl: string }): Route[] {
  const load = createLoader(feed, desk);
  return known.map(({ method, path, file }) => {
    let found: Operation | undefined;
    const find = async () => {
      found = (await load(file)).find((one) => one.method === method && one.path === path);
      if (found === undefined) throw new Error(`${file} has no ${method} ${path}`);
      return found;
    };
    return { method, path, load: () => found ?? find() };
  });
}

// The table of all operations.

import { agentOperations } from './api/agents.ts';
import { arrivedMailOperations } from './api/arrived-mail.ts';
import { auditOperations } from './api/audit.ts';
import { bulkOperations } from './api/bulk.ts';
import { agentChannelOperations } from './api/channels.ts';
import { customerChangeOperations } from './api/customer/changes.ts';
import { customerPageOperations } from './api/customer/operations.ts';
import { customerOperations } from './api/customers.ts';
import { deskOperations } from './api/desk.ts';
import { draftOperations } from './api/drafts.ts';
import { entryLinkOperations } from './api/entry-links.ts';
import { eventOperations } from './api/events.ts';
import { fileOperations } from './api/files.ts';
import { inboundMailOperations } from './api/inbound-mail.ts';
import { inboundRuleOperations } from './api/inbound-rules.ts';
import { ingestOperations } from './api/ingest.ts';
import { issuerOperations } from './api/issuer.ts';
import { liveOperations } from './api/live.ts';
import { macroOperations } from './api/macros.ts';
import { mailFrameOperations } from './api/mail-frame.ts';
import { ownAccountOperations } from './api/own-account.ts';
import { portalFormOperations } from './api/portal/form.ts';
import { ownTicketOperations } from './api/portal/own-tickets.ts';
import { portalSiteOperations } from './api/portal/sites.ts';
import { opsOperations } from './api/reference.ts';
import { replyOperations } from './api/replies.ts';
import { secondFactorOperations } from './api/second-factors.ts';
import { secondStepOperations } from './api/second-step.ts';
import { sessionOperations } from './api/session.ts';
import { agentSiteOperations } from './api/sites.ts';
import { agentSlaOperations } from './api/sla.ts';
import { ticketFieldOperations } from './api/ticket-fields.ts';
import { ticketLinkOperations } from './api/ticket-links.ts';
import { agentTicketOperations } from './api/tickets.ts';
import { tokenOperations } from './api/tokens.ts';
import { viewOperations } from './api/views.ts';
import type { LiveFeed } from './event-streams/live-feed.ts';
import type { Operation } from './operation.ts';

export function allOperations(feed: LiveFeed, baseUrl: string): readonly Operation[] {
  let text: string | undefined;
  const operations: Operation[] = [
    ...ingestOperations,
    ...portalSiteOperations,
    ...customerPageOperations,
    ...customerChangeOperations(feed),
    ...portalFormOperations,
    ...ownTicketOperations,
    // Before the paths with {ticket}, which would match its own.
    ...bulkOperations,
    ...agentTicketOperations,
    ...mailFrameOperations,
    ...viewOperations,
    ...customerOperations,
    ...replyOperations,
    ...draftOperations,
    ...agentSlaOperations,
    ...ticketLinkOperations,
    ...macroOperations,
    ...agentSiteOperations,
    ...ticketFieldOperations,
    ...inboundMailOperations,
    ...arrivedMailOperations,
    ...inboundRuleOperations,
    ...agentChannelOperations,
    ...agentOperations,
    ...tokenOperations,
    ...deskOperations,
    ...auditOperations,
    ...sessionOperations,
    ...entryLinkOperations,
    ...ownAccountOperations,
    ...issuerOperations,
    ...secondStepOperations,
    ...secondFactorOperations,
    ...eventOperations(feed),
    ...liveOperations(feed),
    ...fileOperations,
  ];
  operations.push(
    ...opsOperations(async () => {
      if (text === undefined) {
        const { openApiDocument } = await import('./wire/openapi.ts');
        text = JSON.stringify(openApiDocument(operations, baseUrl));
      }
      return text;
    }),
  );
  return operations;
}

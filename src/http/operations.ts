// The table of routes: every operation of the desk.

import { agentChannelOperations } from './agent-channels.ts';
import { agentSiteOperations } from './agent-sites.ts';
import { agentSlaOperations } from './agent-sla.ts';
import { agentTicketOperations } from './agent-tickets.ts';
import type { Operation } from './call.ts';
import type { LiveFeed } from './event-streams.ts';
import { eventOperations } from './events.ts';
import { fileOperations } from './files.ts';
import { inboundMailOperations } from './inbound-mail.ts';
import { ingestOperations } from './ingest.ts';
import { opsOperations } from './ops.ts';

/**
 * @param feed wakes those who wait for events
 * @param baseUrl the desk's public address, for the document
 */
export function allOperations(feed: LiveFeed, baseUrl: string): readonly Operation[] {
  let text: string | undefined;
  const operations: Operation[] = [
    ...ingestOperations,
    ...agentTicketOperations,
    ...agentSlaOperations,
    ...agentSiteOperations,
    // Before the catalogue, whose `inbound-rules/{id}` would take `test` for an id.
    ...inboundMailOperations,
    ...agentChannelOperations,
    ...eventOperations(feed),
    ...fileOperations,
  ];
  operations.push(
    ...opsOperations(async () => {
      if (text === undefined) {
        const { openApiDocument } = await import('./openapi.ts');
        text = JSON.stringify(openApiDocument(operations, baseUrl));
      }
      return text;
    }),
  );
  return operations;
}

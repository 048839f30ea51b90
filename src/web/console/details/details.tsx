// What is known about a ticket besides its conversation.

import { categories, customFields, priorities } from '../catalogue.ts';
import { can } from '../session.ts';
import { ticketSignal } from '../tickets/cache.ts';
import type { TicketDetail } from '../wire.ts';
import { AuthorSection } from './author.tsx';
import { Clocks } from './clocks.tsx';
import { CustomFields } from './custom-fields.tsx';
import { CustomerLinks } from './customer-links.tsx';
import { Diagnostics, hasDiagnostics } from './diagnostics.tsx';
import { Facts } from './facts.tsx';
import { History } from './history.tsx';
import { t } from './messages.ts';
import { Properties } from './properties.tsx';
import { Section } from './section.tsx';

/** @param ticket its ulid */
export function Details({ ticket: ulid }: { ticket: string }) {
  const state = ticketSignal(ulid).value;
  return (
    <section class="details" aria-label={t.detailsRegion} aria-busy={state.kind === 'loading' || undefined}>
      {state.kind === 'loading' && <Skeleton />}
      {state.kind === 'shown' && <Sections ticket={state.ticket} />}
    </section>
  );
}

function Sections({ ticket }: { ticket: TicketDetail }) {
  // Asked for together, not one after the other when each section is drawn.
  const fields = customFields(ticket.site_id).value;
  const known = { categories: categories(ticket.site_id).value, priorities: priorities(ticket.site_id).value };
  const shownFields = fields?.filter(({ is_active: isActive, key }) => isActive || key in ticket.custom_fields) ?? [];
  const isLocked = !can('write') || ticket.merged_into !== null;
  return (
    <>
      <Section id="properties" title={t.detailsProperties}>
        <Properties ticket={ticket} {...known} isLocked={isLocked} />
      </Section>
      <Section id="clocks" title={t.detailsClocks}>
        <Clocks ticket={ticket} />
      </Section>
      <Section id="author" title={t.detailsAuthor}>
        <AuthorSection ticket={ticket} />
      </Section>
      <Section id="links" title={t.detailsLinks} isClosedAtFirst>
        <CustomerLinks ticket={ticket} />
      </Section>
      {shownFields.length > 0 && (
        <Section id="fields" title={t.detailsFields}>
          <CustomFields ticket={ticket} fields={shownFields} isLocked={isLocked} />
        </Section>
      )}
      {hasDiagnostics(ticket.context) && (
        <Section id="diagnostics" title={t.detailsDiagnostics}>
          <Diagnostics context={ticket.context} />
        </Section>
      )}
      {Object.keys(ticket.metadata).length > 0 && (
        <Section id="metadata" title={t.detailsMetadata} isClosedAtFirst>
          <Facts facts={Object.entries(ticket.metadata)} />
        </Section>
      )}
      <Section id="history" title={t.detailsHistory} isClosedAtFirst>
        <History ticket={ticket} />
      </Section>
    </>
  );
}

/** The layout of what will be there; it appears only if loading takes a moment. */
function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      {[3, 2, 3, 4].map((lines, at) => (
        <div key={at} class="skeleton-section">
          {Array.from({ length: lines }, (_, line) => (
            <i key={line} />
          ))}
        </div>
      ))}
    </div>
  );
}

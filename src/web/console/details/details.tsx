// What is known about a ticket besides its conversation.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { withoutBidi } from '../../shared/bidi.ts';
import { dateAndTime, day } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { categories, customFields, priorities } from '../catalogue.ts';
import { remembered } from '../remembered.ts';
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
import { AddParticipant, Participants } from './participants.tsx';
import { Properties } from './properties.tsx';

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
      {ticket.satisfaction !== null && (
        <Section id="satisfaction" title={t.detailsSatisfaction}>
          <Satisfaction said={ticket.satisfaction} />
        </Section>
      )}
      <Section id="author" title={t.customer}>
        <AuthorSection ticket={ticket} />
      </Section>
      {(ticket.participants.length > 0 || !isLocked) && (
        <Section
          id="participants"
          title={t.detailsParticipants}
          action={isLocked ? null : <AddParticipant ticket={ticket} />}
        >
          {ticket.participants.length > 0 && <Participants ticket={ticket} isLocked={isLocked} />}
        </Section>
      )}
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

// A part of the details that can be folded away; this browser remembers which are.
const openness = remembered<Record<string, boolean>>('details', {});

interface SectionProps {
  id: string;
  title: string;
  isClosedAtFirst?: boolean;
  /** Stands beside the heading. */
  action?: ComponentChildren;
  /** `false`: there is nothing to fold. */
  children: ComponentChildren;
}

function Section({ id, title, isClosedAtFirst = false, action, children }: SectionProps) {
  const contentId = useId();
  const isOpen = openness.value[id] ?? !isClosedAtFirst;
  return (
    <div class="details-section">
      <div class="details-head">
        <h2>
          {children === false ? (
            <span class="details-heading">{title}</span>
          ) : (
            <button
              type="button"
              class="details-heading"
              aria-expanded={isOpen}
              aria-controls={contentId}
              onClick={() => {
                openness.value = { ...openness.value, [id]: !isOpen };
              }}
            >
              <Icon name="chevron" />
              {title}
            </button>
          )}
        </h2>
        {action}
      </div>
      {children !== false && (
        <div id={contentId} class="details-content" hidden={!isOpen}>
          {isOpen && children}
        </div>
      )}
    </div>
  );
}

/** What the customer said of the help. */
function Satisfaction({ said }: { said: NonNullable<TicketDetail['satisfaction']> }) {
  const { rating, comment, at } = said;
  return (
    <div class={`satisfaction ${rating}`}>
      <p class="rated">
        <Icon name={rating} />
        {rating === 'good' ? t.helpWasGood : t.helpWasBad}
        <time class="soft" dateTime={at} title={dateAndTime(at)}>
          {day(at)}
        </time>
      </p>
      {comment !== null && (
        <p class="satisfaction-words" dir="auto">
          {withoutBidi(comment)}
        </p>
      )}
    </div>
  );
}

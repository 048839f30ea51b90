// Who takes part in the ticket beside its customer.

import { withoutBidi } from '../../shared/bidi.ts';
import { Button } from '../../shared/button.tsx';
import { dateAndTime, day } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { AddPerson } from '../customers/add-person.tsx';
import { addPerson, calledBy, type Participant, removePerson, resumePerson } from '../ticket/participants.ts';
import type { TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

export function AddParticipant({ ticket }: { ticket: TicketDetail }) {
  const there = ticket.participants.filter((one) => one.removed_at === null).map(({ email }) => email);
  return (
    <AddPerson
      siteId={ticket.site_id}
      label={t.addParticipant}
      without={[...there, ticket.author?.email ?? '']}
      onAdd={(person) => void addPerson(ticket, person)}
    >
      {t.addTags}
    </AddPerson>
  );
}

export function Participants({ ticket, isLocked }: { ticket: TicketDetail; isLocked: boolean }) {
  const isGone = (one: Participant) => one.removed_at !== null;
  const people = ticket.participants.toSorted((one, other) => Number(isGone(one)) - Number(isGone(other)));
  return (
    <ul class="participants">
      {people.map((person) => (
        <Line key={person.id} ticket={ticket} person={person} isLocked={isLocked} />
      ))}
    </ul>
  );
}

function Line({ ticket, person, isLocked }: { ticket: TicketDetail; person: Participant; isLocked: boolean }) {
  const { name, email, removed_at: removedAt, is_agent: isAgent, paused_at: pausedAt } = person;
  const canAdd = !isLocked && !isAgent && (removedAt !== null || pausedAt !== null);
  return (
    <li class={removedAt === null ? undefined : 'is-removed'}>
      <div class="participant">
        <bdi class="participant-name" title={email}>
          {withoutBidi(name ?? email)}
        </bdi>
        {name !== null && (
          <bdi class="soft" title={email}>
            {email}
          </bdi>
        )}
        {removedAt !== null ? (
          <span class="soft" title={dateAndTime(removedAt)}>
            {isAgent ? t.participantIsAgent : t.participantRemoved(day(removedAt))}
          </span>
        ) : (
          pausedAt !== null && (
            <span class="unverified" title={t.participantPausedHint}>
              <Icon name="alert" />
              {t.participantPaused(day(pausedAt))}
            </span>
          )
        )}
        {canAdd && (
          <Button
            kind="quiet"
            label={`${t.addAgain}: ${calledBy(person)}`}
            onClick={() => void (removedAt === null ? resumePerson : addPerson)(ticket, person)}
          >
            {t.addAgain}
          </Button>
        )}
      </div>
      {!isLocked && removedAt === null && (
        <button
          type="button"
          class="tag-remove"
          aria-label={t.removeParticipant(calledBy(person))}
          title={t.removeParticipant(calledBy(person))}
          onClick={() => void removePerson(ticket, person)}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

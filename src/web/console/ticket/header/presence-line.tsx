// Who else has the ticket open, and who is typing.

import { isolated } from '../../../shared/bidi.ts';
import { presenceOf } from '../../live/live.ts';
import { listOf } from '../conversation/times.ts';
import { Avatar } from '../message/avatar.tsx';
import { t } from '../messages.ts';

export function PresenceLine({ ticket }: { ticket: string }) {
  const writing = presenceOf(ticket)
    .value.filter(({ state }) => state === 'writing')
    .map(({ name }) => isolated(name));
  const names = listOf(writing);
  return (
    <p class="typing" role="status">
      {writing.length > 0 && (
        <>
          <span class="typing-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {writing.length === 1 ? t.isTyping(names) : t.areTyping(names)}
        </>
      )}
    </p>
  );
}

/** In the header: their letters, and their names for those who point at them or listen. */
export function PresentFaces({ ticket }: { ticket: string }) {
  const present = presenceOf(ticket).value;
  if (present.length === 0) return null;
  const names = listOf(present.map(({ name }) => isolated(name)));
  const text = present.length === 1 ? t.isViewing(names) : t.areViewing(names);
  return (
    <span class="present" role="img" aria-label={text} title={text}>
      {present.slice(0, 4).map(({ id, name }) => (
        <Avatar key={id} name={name} />
      ))}
    </span>
  );
}

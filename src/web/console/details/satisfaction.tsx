// What the customer said of the help.

import { withoutBidi } from '../../shared/bidi.ts';
import { dateAndTime, day } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import type { TicketDetail } from '../wire.ts';
import { t } from './messages.ts';

export function Satisfaction({ said }: { said: NonNullable<TicketDetail['satisfaction']> }) {
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

// A ticket: list, conversation, composer and details.

import { Composer } from '../composer/composer.tsx';
import { Details } from '../details/details.tsx';
import { route } from '../route.ts';
import { t } from './messages.ts';

export function TicketPage() {
  const { value: here } = route;
  if (here.name !== 'ticket') return null;
  return (
    <main id="content" tabIndex={-1}>
      <h1>{here.ticket}</h1>
      <div role="log" aria-label={t.conversation} />
      <Composer ticket={here.ticket} />
      <Details ticket={here.ticket} />
    </main>
  );
}

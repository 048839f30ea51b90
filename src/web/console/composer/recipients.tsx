// Who will read it: always in sight.

import { withoutBidi } from '../../shared/bidi.ts';
import { Icon } from '../../shared/icons.tsx';
import type { TicketDetail } from '../wire.ts';
import type { Tab } from './draft-types.ts';
import { t } from './messages.ts';

export function Recipients({ tab, author }: { tab: Tab; author: TicketDetail['author'] }) {
  if (tab === 'note')
    return (
      <p class="recipients">
        <Icon name="lock" />
        {t.onlyAgents}
      </p>
    );
  const isReachable = author !== null && author.anonymised_at === null;
  return (
    <p class="recipients">
      <span class="soft">{t.to}</span>
      {isReachable ? (
        <span class="recipient" title={author.email}>
          {author.name !== null && <bdi class="recipient-name">{withoutBidi(author.name)}</bdi>}
          <bdi class="soft">{author.email}</bdi>
        </span>
      ) : (
        <span>{t.noRecipient}</span>
      )}
    </p>
  );
}

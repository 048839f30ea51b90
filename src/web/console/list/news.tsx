// Says that there are new tickets, and shows them when the agent wants: the list never moves by itself.

import { Icon } from '../../shared/icons.tsx';
import { t } from './messages.ts';
import { newsPerPage, type TicketList } from './ticket-list.ts';

export function News({ list }: { list: TicketList }) {
  const count = list.news.value;
  return (
    <div class="list-news" role="status">
      {count > 0 && (
        <button
          type="button"
          onClick={() => {
            list.firstRow = 0;
            void list.showNews();
          }}
        >
          <Icon name="chevron" />
          {count < newsPerPage ? t.newTickets(count) : t.manyNewTickets(newsPerPage)}
        </button>
      )}
    </div>
  );
}

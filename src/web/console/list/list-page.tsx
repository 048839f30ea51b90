// The page of a view or of a search.

import { useEffect } from 'preact/hooks';
import { useListCommands } from './list-commands.ts';
import { ListPane } from './list-pane.tsx';
import { TicketPicker } from './ticket-picker.tsx';

export function ListPage() {
  useListCommands();
  useEffect(() => {
    document.documentElement.scrollTop = 0;
  }, []);
  return (
    <main id="content" class="list-page" tabIndex={-1}>
      <ListPane />
      <TicketPicker />
    </main>
  );
}

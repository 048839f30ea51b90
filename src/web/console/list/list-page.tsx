// The page of a view or of a search.

import { useEffect } from 'preact/hooks';
import { onDemand } from '../shell/on-demand.tsx';
import { useListCommands } from './list-commands.ts';
import { ListPane } from './list-pane.tsx';
import { picking } from './targets.ts';

const TicketPicker = onDemand(async () => (await import('./ticket-picker.tsx')).TicketPicker);

export function ListPage() {
  useListCommands();
  useEffect(() => {
    document.documentElement.scrollTop = 0;
  }, []);
  return (
    <main id="content" class="list-page" tabIndex={-1}>
      <ListPane />
      {picking.value !== null && <TicketPicker />}
    </main>
  );
}

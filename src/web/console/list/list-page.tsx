// The page of a view or of a search.

import { useEffect } from 'preact/hooks';
import { onDemand } from '../shell/on-demand.tsx';
import { picking } from './bulk/targets.ts';
import { useListCommands } from './list-commands.ts';
import { ListPane } from './list-pane.tsx';

const TicketPicker = onDemand(
  async () => (await import('../shell/on-demand-parts.ts')).TicketPicker,
  () => {
    picking.value = null;
  },
);

/** What tickets shall become is asked over their list, and over one that is open. */
export const Picking = () => picking.value && <TicketPicker />;

const idleMs = 800;

export function ListPage() {
  useListCommands();
  useEffect(() => {
    // So that a dialog is there right after its key.
    // If the desk is away, it is loaded when it is needed.
    const timer = setTimeout(() => void import('../shell/on-demand-parts.ts').catch(() => null), idleMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main id="content" class="list-page" tabIndex={-1}>
      <ListPane />
      <Picking />
    </main>
  );
}

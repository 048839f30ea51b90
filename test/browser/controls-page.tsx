// A page with one of each shared control, for controls.browser.ts.
/** @jsxImportSource preact */

import { signal } from '@preact/signals';
import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { Sortable } from '../../src/web/console/settings/sortable.tsx';
import { takeBack } from '../../src/web/console/undo.ts';
import { Combobox } from '../../src/web/shared/combobox.tsx';
import { Menu } from '../../src/web/shared/menu.tsx';
import { loadMessages } from '../../src/web/shared/messages.ts';
import type { Opener } from '../../src/web/shared/popover.ts';
import { TabPanel, Tabs } from '../../src/web/shared/tabs.tsx';

const happened = signal<string[]>([]);
const status = signal('open');
const assignee = signal<number | null>(null);
const tags = signal<readonly string[]>(['vip']);
const knownTags = signal(['vip', 'refund', 'crème']);
const tab = signal<'one' | 'two' | 'three'>('one');

const rows = signal([
  { id: 1, name: 'Billing' },
  { id: 2, name: 'Shipping' },
  { id: 3, name: 'Returns' },
]);
/** The desk, which answers a moment later. */
async function order(_path: string, { body }: { body: string }): Promise<Response> {
  const { ids } = JSON.parse(body) as { ids: number[] };
  await Promise.resolve();
  rows.value = ids.flatMap((id) => rows.peek().filter((row) => row.id === id));
  return Response.json({ data: rows.peek() });
}
Object.assign(globalThis, { fetch: order });

const say = (text: string) => () => {
  happened.value = [...happened.value, text];
};

function Controls() {
  const statusHandle = useRef<Opener | null>(null);
  return (
    <main>
      <h1>Controls</h1>
      <button type="button" onClick={() => statusHandle.current?.open()}>
        Open the status
      </button>
      <Combobox
        label="Status"
        handle={statusHandle}
        value={status.value}
        options={['open', 'pending', 'resolved', 'closed'].map((value) => ({ value, text: value }))}
        onChange={(value) => {
          status.value = value;
        }}
      />
      <Combobox
        label="Assignee"
        search
        value={assignee.value}
        options={[
          { value: null, text: 'Unassigned' },
          { value: 1, text: 'Ana Ruiz', hint: 'ana@demo-shop.example' },
          { value: 2, text: 'Noor Visser' },
        ]}
        onChange={(value) => {
          assignee.value = value;
        }}
      />
      <Combobox
        label="Tags"
        search
        multiple
        value={tags.value}
        options={knownTags.value.map((value) => ({ value, text: value }))}
        onChange={(values) => {
          tags.value = values;
        }}
        onCreate={(typed) => {
          knownTags.value = [...knownTags.value, typed];
          tags.value = [...tags.value, typed];
        }}
        onClose={say('closed tags')}
      />
      <Menu
        label="More"
        items={[
          { text: 'Merge', keys: 'g', run: say('merge') },
          { text: 'Split', isDisabled: true, run: say('split') },
          { text: 'Erase', isDanger: true, isApart: true, run: say('erase') },
        ]}
      >
        …
      </Menu>
      <Tabs
        name="kind"
        label="Kind"
        selected={tab.value}
        tabs={[
          { id: 'one', text: 'One' },
          { id: 'two', text: 'Two' },
          { id: 'three', text: 'Three' },
        ]}
        onSelect={(id) => {
          tab.value = id;
        }}
      />
      <TabPanel name="kind" id={tab.value}>
        <p>Panel {tab.value}</p>
      </TabPanel>
      <Sortable
        label="Categories"
        rows={rows.value}
        nameOf={({ name }) => name}
        path="/sites/1/categories"
        canOrder
        reload={async () => say('reloaded')()}
      >
        {({ name }) => <span>{name}</span>}
      </Sortable>
      <button type="button" onClick={() => takeBack()}>
        Take back
      </button>
      <output id="state">
        {JSON.stringify([
          ...[status.value, assignee.value, tags.value, tab.value, happened.value],
          rows.value.map(({ name }) => name),
        ])}
      </output>
    </main>
  );
}

const heard: string[] = [];
document.addEventListener('keydown', ({ key }) => heard.push(key));
Object.assign(window, { heard });
await loadMessages('en');
render(<Controls />, document.getElementById('app')!);

// What can be done with a saved view, besides dragging it.

import { useSignal } from '@preact/signals';
import type { Answer } from '../../shared/api.ts';
import { Icon } from '../../shared/icons.tsx';
import { Menu } from '../../shared/menu.tsx';
import { announce, announceRefusal } from '../../shared/notices.tsx';
import { t } from '../on-demand-messages.ts';
import { go, route } from '../route.ts';
import { can } from '../session.ts';
import { offerUndo } from '../undo.ts';
import { NameView } from './name-view.tsx';
import { moved } from './order.ts';
import { changeView, createView, orderViews, removeView, savedViews, type View, viewPath } from './views.ts';

export function ViewMenu({ view }: { view: View }) {
  const isNaming = useSignal(false);
  return (
    <>
      <Menu
        label={t.viewMenu(view.name)}
        buttonClass="icon-button view-menu"
        items={actions(view, () => {
          isNaming.value = true;
        })}
      >
        <Icon name="more" />
      </Menu>
      {isNaming.value && (
        <NameView
          title={t.renameView}
          name={view.name}
          isShared={view.is_shared}
          canShare={view.is_own && can('write')}
          onSave={(name, isShared) => changeView(view, { name, is_shared: isShared })}
          onClose={() => {
            isNaming.value = false;
          }}
        />
      )}
    </>
  );
}

function actions(view: View, rename: () => void) {
  const ids = savedViews.value.map(({ id }) => id ?? 0);
  const at = ids.indexOf(view.id ?? 0);
  const move = (to: number) => void orderViews(moved(ids, view.id ?? 0, to)).then(explain);
  const places = [
    { text: t.moveUp, isDisabled: at === 0, run: () => move(at - 1) },
    { text: t.moveDown, isDisabled: at === ids.length - 1, run: () => move(at + 1) },
  ];
  if (!view.is_own && !(view.is_shared && can('manage'))) return places;
  return [
    { text: t.renameView, run: rename },
    {
      text: view.is_shared ? t.makeViewPrivate : t.shareView,
      isDisabled: !can('write') || !view.is_own,
      run: () =>
        void changeView(view, { is_shared: !view.is_shared }).then((answer) => {
          if (answer.isOk) announce(view.is_shared ? t.viewIsPrivate(view.name) : t.viewIsShared(view.name));
          else explain(answer);
        }),
    },
    ...places.map((item, index) => ({ ...item, isApart: index === 0 })),
    { text: t.deleteView, isDanger: true, isApart: true, run: () => void remove(view) },
  ];
}

async function remove(view: View): Promise<void> {
  const ids = savedViews.value.map(({ id }) => id ?? 0);
  const answer = await removeView(view);
  if (!answer.isOk) return explain(answer);
  const here = route.peek();
  const wasOpen = here.name === 'inbox' && here.view === view.key;
  if (wasOpen) go('/inbox/mine', { replace: true });
  offerUndo(t.viewDeleted(view.name), async () => {
    const { name, filter, sort, direction, is_shared } = view;
    const again = await createView({ name, filter, sort, direction, is_shared });
    if (!again.isOk) return explain(again);
    const { id, key } = again.data.data;
    await orderViews(ids.map((one) => (one === view.id ? (id ?? 0) : one)));
    if (wasOpen) go(viewPath(key), { replace: true });
  });
}

function explain(answer: Answer<unknown>): void {
  if (!answer.isOk) announceRefusal(answer.refusal);
}

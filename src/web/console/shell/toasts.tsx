// What happened, at the edge of the page: short notes, and what can be taken back.

import { Icon } from '../../shared/icons.tsx';
import { note } from '../../shared/notices.tsx';
import { Link, route } from '../route.ts';
import { offered, takeBack } from '../undo.ts';
import { t } from './messages.ts';

const mostToasts = 2;

export function Toasts() {
  const shown = note.value;
  // Older ones are still taken back by Ctrl or ⌘ Z.
  const undoable = offered.value.slice(shown === null ? -mostToasts : 1 - mostToasts);
  return (
    <>
      {undoable.map(({ id, text }) => (
        <div class="toast" key={`undo-${id}`}>
          <span>{text}</span>
          <button type="button" class="toast-action" onClick={() => takeBack(id)}>
            {t.undo}
          </button>
        </div>
      ))}
      {shown !== null && (
        <div class={`toast ${shown.kind}`} key={shown.number}>
          <Icon name={shown.kind === 'done' ? 'check' : 'alert'} />
          <div>
            <p>{shown.text}</p>
            {shown.requestId !== null && (
              <p class="request-id">
                {t.requestId} <code>{shown.requestId}</code>
              </p>
            )}
          </div>
          {shown.link !== null && shown.link.path !== route.value.path && (
            <Link class="toast-action" href={shown.link.path}>
              {shown.link.text}
            </Link>
          )}
        </div>
      )}
    </>
  );
}

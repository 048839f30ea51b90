// What happened, at the edge of the page: short notes, and what can be taken back.

import { Icon } from '../../shared/icons.tsx';
import { note } from '../../shared/notices.tsx';
import { offered, takeBack } from '../undo.ts';
import { t } from './messages.ts';

/** The region is always there, so that screen readers watch it. */
export function Toasts() {
  const shown = note.value;
  return (
    <div class="toasts" role="status">
      {offered.value.map(({ id, text }) => (
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
        </div>
      )}
    </div>
  );
}

// The frame around every page of the console: rail, top bar and the open page.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { LiveLayer } from '../live/live-layer.tsx';
import { route } from '../route.ts';
import { loadSession, session, sessionRefusal } from '../session.ts';
import { listenToKeys } from '../shortcuts/shortcuts.ts';
import { Boundary } from './boundary.tsx';
import { ConsoleOverlays } from './console-overlays.tsx';
import { t } from './messages.ts';
import { OpenPage } from './open-page.tsx';
import { Rail } from './rail.tsx';
import { RefusedPage } from './refused.tsx';
import { useShellCommands } from './shell-commands.ts';
import { Toasts } from './toasts.tsx';
import { TopBar } from './top-bar.tsx';

export function Shell() {
  useEffect(listenToKeys, []);
  useShellCommands();
  const started = session.value;
  const refusal = sessionRefusal.value;
  const mustAdd = started?.must_add_second_factor ?? false;
  return (
    <div class={`shell${mustAdd ? ' alone' : ''}`}>
      <a class="skip" href="#content">
        {t.skipToContent}
      </a>
      {!mustAdd && <Rail />}
      <TopBar isAlone={mustAdd} />
      <Place>
        {started !== null && <OpenPage />}
        {started === null && refusal !== null && (
          <RefusedPage title={t.deskUnavailable} refusal={refusal} onRetry={() => void loadSession()} />
        )}
      </Place>
      <ConsoleOverlays />
      <LiveLayer />
      <Toasts />
    </div>
  );
}

const titleAfterMs = 300;

/** The focus follows to a new page, unless a control that stayed has it, and screen readers hear its title. */
function Place({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  const { path } = route.value;
  const page = path.split('?')[0] ?? '';
  const isFirst = useRef(true);
  const title = useSignal('');
  useEffect(() => {
    const wasFirst = isFirst.current;
    isFirst.current = false;
    if (wasFirst) return;
    // The new page sets its title first.
    const timer = setTimeout(() => {
      title.value = document.title;
    }, titleAfterMs);
    if (document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
    return () => clearTimeout(timer);
  }, [page]);
  return (
    <>
      <div ref={place} class="shell-page">
        <Boundary name={page}>{children}</Boundary>
      </div>
      <p class="hidden" aria-live="polite">
        {title}
      </p>
    </>
  );
}

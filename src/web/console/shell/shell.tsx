// The frame around every page of the console: rail, top bar and the open page.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { confirmation, ended } from '../../shared/signed-in.ts';
import { route } from '../route.ts';
import { loadSession, session, sessionRefusal } from '../session.ts';
import { listenToKeys } from '../shortcuts/shortcuts.ts';
import { Boundary } from './boundary.tsx';
import { t } from './messages.ts';
import { onDemand } from './on-demand.tsx';
import { focusContent, OpenPage } from './open-page.tsx';
import { closeOverlay, overlay } from './overlays.ts';
import { Rail } from './rail.tsx';
import { RefusedPage } from './refused.tsx';
import { useShellCommands } from './shell-commands.ts';
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
      <Floating />
      <Place>
        {started !== null && <OpenPage />}
        {started === null && refusal !== null && (
          <RefusedPage
            title={refusal.code === 'unreachable' ? t.deskUnavailable : t.partMissing}
            refusal={refusal}
            onRetry={() => void loadSession()}
          />
        )}
      </Place>
      <ConsoleOverlays />
    </div>
  );
}

const Toasts = onDemand(async () => (await import('./on-demand-parts.ts')).Toasts);
const LiveBar = onDemand(async () => (await import('./on-demand-parts.ts')).LiveBar);

/** Notes and bars come when they want, so they move nothing: what scrolls ends above them. Their regions are always there, so that screen readers watch them. */
function Floating() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const watched = box.current;
    if (watched === null) return;
    const measure = () => document.documentElement.style.setProperty('--toasts', `${watched.offsetHeight}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} class="toasts">
      <div role="status">
        <Toasts />
      </div>
      <div class="live-bars" role="status">
        <LiveBar />
      </div>
    </div>
  );
}

const titleAfterMs = 300;

/** The focus follows to a new page, unless a control that stayed has it, and screen readers hear its title. */
function Place({ children }: { children: ComponentChildren }) {
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
    focusContent();
    return () => clearTimeout(timer);
  }, [page]);
  return (
    <>
      <div class="shell-page">
        <Boundary name={page}>{children}</Boundary>
      </div>
      <p class="hidden" aria-live="polite">
        {title}
      </p>
    </>
  );
}

// What can lie over every page: the palette, the list of shortcuts, the drawer, the way back in, and a question before a sensitive change.
const Palette = onDemand(async () => (await import('./on-demand-parts.ts')).Palette, closeOverlay);
const Drawer = onDemand(async () => (await import('./on-demand-parts.ts')).Drawer);
const Help = onDemand(async () => (await import('./on-demand-parts.ts')).Help);
const SignInAgain = onDemand(async () => (await import('./on-demand-parts.ts')).SignInAgain);
const ConfirmIdentity = onDemand(async () => (await import('./on-demand-parts.ts')).ConfirmIdentity);

function ConsoleOverlays() {
  const agent = session.value?.agent ?? null;
  if (ended.value !== null) return <SignInAgain />;
  return (
    <>
      {overlay.value === 'palette' && <Palette />}
      {overlay.value === 'help' && <Help />}
      {overlay.value === 'drawer' && (
        <Drawer>
          <Rail />
        </Drawer>
      )}
      {confirmation.value !== null && agent !== null && <ConfirmIdentity agent={agent} />}
    </>
  );
}

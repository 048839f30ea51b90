// Where the console is: the route of the address, and going to another one.

import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type ComponentChildren, h } from 'preact';
import { type Route, routeOf } from './route-of.ts';

const here = () => location.pathname + location.search;
const path = signal(here());

export const route: ReadonlySignal<Route> = computed(() => routeOf(path.value));

/** The list that the agent looked at last, where `u` and Escape lead back to. */
const list = signal('/inbox/mine');
export const lastListPath: ReadonlySignal<string> = list;

addEventListener('popstate', arrive);
arrive();

/** @param wanted a path of the console with its query, such as `/inbox/mine?status=open` */
export function go(wanted: string, { replace = false }: { replace?: boolean } = {}): void {
  if (wanted === here()) return;
  if (replace) history.replaceState(null, '', wanted);
  else history.pushState(null, '', wanted);
  arrive();
}

function arrive(): void {
  path.value = here();
  const { name } = route.peek();
  if (name === 'inbox' || name === 'search') list.value = path.peek();
}

interface LinkProps {
  href: string;
  class?: string | undefined;
  title?: string | undefined;
  isCurrent?: boolean | undefined;
  label?: string | undefined;
  describedBy?: string | undefined;
  onClick?: () => void;
  children: ComponentChildren;
}

/** A link inside the console. With a modifier key or another mouse button, the browser opens it itself, such as in a new tab. */
export function Link({ href, class: className, title, isCurrent, label, describedBy, onClick, children }: LinkProps) {
  return h(
    'a',
    {
      href,
      class: className,
      title,
      'aria-label': label,
      'aria-describedby': describedBy,
      'aria-current': isCurrent ? 'page' : undefined,
      onClick: (event: MouseEvent) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onClick?.();
        go(href);
      },
    },
    children,
  );
}

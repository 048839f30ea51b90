// The focus stays in an open section when what had it goes away: a saved form's buttons, or a row of a list.

import { useEffect, useRef } from 'preact/hooks';

const focusable = 'a[href], button:not([tabindex="-1"]), input, select, textarea';

/** Where an element is: its parent, and the parents of that, up to the section. */
function placesOf(element: Element, section: Element): { parent: Element; at: number }[] {
  const places = [];
  for (let one = element; one !== section && one.parentElement !== null; one = one.parentElement)
    places.push({ parent: one.parentElement, at: [...one.parentElement.children].indexOf(one) });
  return places;
}

/** The row that took the place of a removed one, else the heading above. */
function successor(parent: Element, at: number, section: Element): HTMLElement | null {
  const row = parent.matches('ol, ul, tbody') ? (parent.children[at] ?? parent.lastElementChild) : null;
  const within = row?.querySelector<HTMLElement>(focusable);
  if (within) return within;
  const heading = parent.closest('section')?.querySelector('h2') ?? section.querySelector('h1');
  if (heading !== null) heading.tabIndex = -1;
  return heading;
}

/** @returns the reference of the section */
export function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const section = ref.current;
    if (section === null) return;
    let last: Element | null = null;
    let places: ReturnType<typeof placesOf> = [];
    const note = ({ target }: FocusEvent) => {
      last = target as Element;
      places = placesOf(last, section);
    };
    const observer = new MutationObserver(() => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      const place = places.find(({ parent }) => parent.isConnected);
      if (place !== undefined) successor(place.parent, place.at, section)?.focus({ preventScroll: true });
    });
    section.addEventListener('focusin', note);
    observer.observe(section, { childList: true, subtree: true });
    return () => {
      section.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
  return ref;
}

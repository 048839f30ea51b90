// The places in the desk's document that the script fills.

import { type ComponentChild, render } from 'preact';

export function fill(id: string, content: ComponentChild): void {
  const place = document.getElementById(id);
  if (place === null) return;
  place.replaceChildren();
  render(content, place);
}

/** Puts something else in the place of the whole content. */
export function replaceContent(content: ComponentChild): void {
  const main = document.getElementById('content');
  if (main === null) return;
  main.replaceChildren();
  render(content, main);
  main.focus();
  scrollTo(0, 0);
}

/** For screen readers, which do not see what appears. */
export function say(sentence: string): void {
  const announcer = document.getElementById('announcer');
  if (announcer !== null) announcer.textContent = sentence;
}

export function site(): string {
  return document.body.dataset.site ?? '';
}

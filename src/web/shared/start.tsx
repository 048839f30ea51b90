// Starts a page: its messages first, then its content.

import { type ComponentType, render } from 'preact';
import type { Locale } from '../../domain/people/preferences.ts';
import { loadMessages } from './messages.ts';
import { preferredLanguage, storeLanguage } from './preferences.ts';
import { refuseStrayFiles } from './stray-files.ts';

export async function start(Page: ComponentType): Promise<void> {
  const root = document.getElementById('app');
  if (root === null) throw new Error('The page has no place for its content.');
  refuseStrayFiles();
  await loadMessages(preferredLanguage());
  render(<Page />, root);
}

export async function chooseLanguage(language: Locale): Promise<void> {
  storeLanguage(language);
  await loadMessages(language);
}

// The language of pages while several parts ask for their messages at the same time.

import { expect, test } from 'bun:test';
import { effect } from '@preact/signals';
import { addMessages, language, loadMessages } from '../../src/web/shared/messages.ts';

test('a part that is loaded before the first messages are there does not bring another language', async () => {
  const document = { documentElement: { lang: '' } };
  Object.assign(globalThis, { document });
  const first = loadMessages('de');
  const part = addMessages({
    en: async () => ({ messages: { part: 'Part' } }),
    nl: async () => ({ messages: { part: 'Deel' } }),
    de: async () => ({ messages: { part: 'Teil' } }),
    fr: async () => ({ messages: { part: 'Partie' } }),
    es: async () => ({ messages: { part: 'Parte' } }),
  });
  // As a part does that came before them.
  const second = loadMessages();
  await Promise.all([first, second]);
  expect([language(), part.part, document.documentElement.lang]).toEqual(['de', 'Teil', 'de']);

  await Promise.all([loadMessages('fr'), loadMessages('es'), loadMessages()]);
  expect([language(), part.part, document.documentElement.lang]).toEqual(['es', 'Parte', 'es']);
  Reflect.deleteProperty(globalThis, 'document');
});

test('a part keeps its messages when those of an earlier one come late', async () => {
  Object.assign(globalThis, { document: { documentElement: { lang: '' } } });
  const late = Promise.withResolvers<void>();
  let isFirst = true;
  const inAll = <Texts extends object>(load: () => Promise<{ messages: Texts }>) =>
    ({ en: load, nl: load, de: load, fr: load, es: load }) as const;
  addMessages(
    inAll(async () => {
      if (isFirst) {
        isFirst = false;
        await late.promise;
      }
      return { messages: { earlier: 'Earlier' } };
    }),
  );
  const first = loadMessages('en');
  const later = addMessages(inAll(async () => ({ messages: { later: 'Later' } })));
  await loadMessages();
  const seen: (string | undefined)[] = [];
  const end = effect(() => void seen.push(later.later));
  late.resolve();
  await first;
  end();
  expect(new Set(seen)).toEqual(new Set(['Later']));
  Reflect.deleteProperty(globalThis, 'document');
});

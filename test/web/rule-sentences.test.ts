// A rule as a sentence.

import { afterAll, expect, test } from 'bun:test';
import { changeVocabulary } from '../../src/web/console/settings/rules/vocabulary.ts';
import { sentenceOf } from '../../src/web/console/settings/rules/words.ts';
import { formattedAs } from '../../src/web/shared/format.ts';
import { speak } from '../../src/web/shared/messages.ts';
import { namesOfSite as names } from './console/rule-names.ts';

const languages = ['de', 'es', 'fr', 'nl', 'en'] as const;
type Language = (typeof languages)[number];

async function use(language: Language): Promise<void> {
  const parts = ['list', 'shell', 'settings', 'settings-site', 'settings-rules'];
  const all = parts.map((part) => import(`../../src/web/messages/console/${language}/${part}.ts`));
  speak(language, Object.assign({}, ...(await Promise.all(all)).map(({ messages }) => messages)));
}
afterAll(() => use('en'));

test.each(languages)('ends in one full stop, also after a quotation, in %s', async (language) => {
  await use(language);
  const said = (body: string) =>
    [[], [{ field: 'status', operator: 'equals', value: 'open', negate: false }]].map((conditions) => {
      const actions = [{ type: 'reply', value: { body, as: 'desk', is_repeated: false } }];
      const rule = { match: 'all', conditions, actions } as never;
      return formattedAs(language, () => sentenceOf(rule, changeVocabulary, names));
    });
  for (const sentence of said('We look at it now.')) expect(sentence).toMatch(/now\.\u2069\s?\p{P}$/u);
  for (const sentence of said('We look at it')) expect(sentence).toMatch(/it\u2069\s?\p{P}\.$/u);
});

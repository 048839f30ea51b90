// The messages: every language has each of them, the code uses each of them, and shows no other text.

import { describe, expect, test } from 'bun:test';
import { findingKinds } from '../../src/domain/findings.ts';
import { jobNames } from '../../src/domain/jobs.ts';

const root = new URL('../../src/web/', import.meta.url).pathname;
const sources = await Promise.all(
  [...new Bun.Glob('**/*.{ts,tsx}').scanSync(root)]
    .filter((path) => !path.startsWith('messages/'))
    .map(async (path) => ({ path, text: await Bun.file(root + path).text() })),
);

type Texts = Record<string, unknown>;

const languages = ['en', 'nl', 'de', 'fr', 'es'] as const;
const areas = [
  '',
  ...['console', 'sign-in', 'customer'].flatMap((group) =>
    [...new Bun.Glob('*.ts').scanSync(`${root}messages/${group}/en`)]
      // It has those of the other files.
      .filter((name) => name !== 'settings-all.ts')
      .map((name) => `${group}/${name.slice(0, -'.ts'.length)}`)
      .sort(),
  ),
];

async function textsOf(area: string, language: string): Promise<Texts> {
  const path = area === '' ? language : area.replace('/', `/${language}/`);
  return ((await import(`${root}messages/${path}.ts`)) as { messages: Texts }).messages;
}

const everyPage = 'every page';

const catalogues = await Promise.all(
  areas.map(async (area) => ({
    area: area === '' ? everyPage : area,
    en: await textsOf(area, 'en'),
    texts: await Promise.all(
      languages.map(async (language) => [language, await textsOf(area, language)] as [string, Texts]),
    ),
  })),
);

/** A message with its parameters filled in. */
function shown(message: unknown): string {
  return typeof message === 'string'
    ? message
    : (message as (...given: string[]) => string)('‹given›', '‹other›', '‹third›');
}

test('no two parts of the console have a message of the same name', () => {
  const names = catalogues
    .filter(({ area }) => area === everyPage || area.startsWith('console') || area.startsWith('sign-in'))
    .flatMap(({ en }) => Object.keys(en));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('customers are told something else than agents where their pages have a message of the same name', () => {
  const of = (wanted: string) => catalogues.find(({ area }) => area === wanted)!.texts;
  const [shared, own] = [of(everyPage), of('customer/pages')];
  const same = own.flatMap(([language, texts], at) => {
    const others = shared[at]![1];
    const names = Object.keys(texts).filter((name) => Object.hasOwn(others, name));
    expect(names).not.toEqual([]);
    for (const name of names) expect(shown(texts[name]), `${language} ${name}`).not.toMatch(/\bdesk\b/i);
    return names.filter((name) => shown(texts[name]) !== shown(others[name]));
  });
  const replaced = Object.keys(own[0]![1]).filter((name) => Object.hasOwn(shared[0]![1], name));
  expect(replaced.filter((name) => !same.includes(name))).toEqual([]);
});

test('customers are addressed formally in Spanish', () => {
  const [, texts] = catalogues.find(({ area }) => area === 'customer/pages')!.texts.find(([one]) => one === 'es')!;
  const informal = Object.values(texts).filter((text) =>
    /\b(tu|tus|tú|ti|te)\b|(^|[ .])(Inténtalo|inténtalo|Escribe|Rellena|Comprueba) /u.test(shown(text)),
  );
  expect(informal.filter((text) => !shown(text).startsWith('Escribe como'))).toEqual([]);
});

const cases = catalogues.flatMap(({ area, en, texts }) =>
  texts.map(([language, messages]) => ({ area, language, en, messages })),
);

describe.each(cases)('of $area in $language', ({ language, en, messages }) => {
  const names = Object.keys(en);

  test('there is each message and no other', () => {
    expect(Object.keys(messages).sort()).toEqual([...names].sort());
  });

  test.each(names)('%s says something, with the same parameters', (name) => {
    const text = shown(messages[name]);
    expect(text.trim()).toBe(text);
    expect(text).not.toBe('');
    expect(text).not.toMatch(/ {2}|undefined|\[object|[a-z]'[a-z]|"|\.\.\./i);
    expect(text.includes('‹given›')).toBe(shown(en[name]).includes('‹given›'));
    // A sentence must be a sentence in every language.
    expect(/[.!?]$/.test(text)).toBe(/[.!?]$/.test(shown(en[name])) || text.endsWith('?'));
  });

  test('few messages are the English ones', () => {
    if (language === 'en') return;
    const same = names.filter((name) => shown(messages[name]) === shown(en[name]));
    expect(same.length).toBeLessThan(10 + names.length / 10);
  });
});

test('what the doctor finds is said in each language, with the same commands and settings', async () => {
  const names = (text: string) =>
    [...text.matchAll(/`[^`]+`|HELPDESK_\w+|[\w.]+\.(?:db|key)\b/g)].map(([name]) => name).sort();
  for (const language of languages.filter((one) => one !== 'en')) {
    const { findings } = (await import(`${root}messages/findings/${language}.ts`)) as {
      findings: Record<string, string>;
    };
    for (const [code, [, , meaning]] of Object.entries(findingKinds)) {
      const text = findings[code] ?? '';
      expect([code, names(text)]).toEqual([code, names(meaning)]);
      expect(text).not.toMatch(/ {2}|[a-z]'[a-z]|"|\.\.\.|[.!?]$/i);
      expect(text).not.toBe(meaning);
    }
  }
});

test('what each recurring job does is said in each language, and all of them are scheduled', async () => {
  const schedule = await Bun.file(new URL('../../src/jobs/schedule.ts', import.meta.url)).text();
  for (const name of jobNames) expect(schedule).toContain(`job('${name}'`);
  for (const language of languages) {
    const { jobs } = (await import(`${root}messages/jobs/${language}.ts`)) as { jobs: Record<string, string> };
    const texts = Object.values(jobs);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).not.toMatch(/ {2}|[a-z]'[a-z]|"|\.\.\.|[.!?]$/i);
  }
});

test('one ticket is not told in the plural', () => {
  const plural = /(?<![\d,.])1 (?:tickets|customers|Kunden|klanten|clients|clientes)\b/i;
  const told = (message: unknown, count: unknown) => (typeof message === 'function' ? String(message(count)) : '');
  const wrong = cases.flatMap(({ messages }) =>
    Object.entries(messages)
      // Some are given the number, others how it is written.
      .filter(([, message]) => [1, '1'].every((count) => plural.test(told(message, count))))
      .map(([name]) => name),
  );
  // Only said of several.
  expect(new Set(wrong)).toEqual(new Set(['notAllChanged', 'showAllTickets']));
});

test('the code uses every message', () => {
  const used = new Set(
    sources.flatMap(({ text }) => {
      const others = [...text.matchAll(/\bt as (\w+)/g)].map(([, name]) => name);
      return [...text.matchAll(new RegExp(`\\b(?:${['t', 'text', ...others].join('|')})\\.(\\w+)`, 'g'))].map(
        ([, name]) => name,
      );
    }),
  );
  expect(catalogues.flatMap(({ en }) => Object.keys(en)).filter((name) => !used.has(name))).toEqual([]);
});

test('components show messages, not text of their own', () => {
  const own = sources
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, text }) => [
      ...[...text.matchAll(/(?<!=)>\s*([^<>{}()=;]*[A-Za-z]{2}[^<>{}()=;]*)\s*</g)].map(
        ([, words = '']) => `${path}: ${words}`,
      ),
      ...[...text.matchAll(/\s(?:aria-label|title|placeholder|label|lead|hint)="([^"]+)"/g)].map(
        ([, words = '']) => `${path}: ${words}`,
      ),
    ]);
  // The product's name.
  expect(own.filter((found) => !found.endsWith(': Helpdesk'))).toEqual([]);
});

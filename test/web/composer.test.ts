// The composer by rule: Markdown by button and Enter, what `/` and `@` ask for, times to send, names of files, two drafts.

import { describe, expect, test } from 'bun:test';
import { askedAt, mentionedIn } from '../../src/web/console/composer/completion.ts';
import { type LocalDraft, verdictOn } from '../../src/web/console/composer/draft-sync.ts';
import {
  continued,
  edited,
  type MarkdownAction,
  markdownActions,
  markedOnce,
  pastedLink,
  type Written,
  withoutEmptyEnd,
} from '../../src/web/console/composer/markdown-edit.ts';
import { fieldValue, sendTimeIn, usualTimes } from '../../src/web/console/composer/send-later.tsx';
import { stagedIn } from '../../src/web/console/composer/staged.ts';
import { unseenMessages } from '../../src/web/console/composer/unseen.ts';
import { mentionsIn } from '../../src/web/console/mentions.ts';
import { pastedName } from '../../src/web/shared/pasted-name.ts';

/** A text in which `«` and `»` stand around the selection, or `¦` for the cursor. */
function written(marked: string): Written {
  const caret = marked.indexOf('¦');
  if (caret !== -1) return { text: marked.replace('¦', ''), start: caret, end: caret };
  const start = marked.indexOf('«');
  return { text: marked.replace(/[«»]/g, ''), start, end: marked.indexOf('»') - 1 };
}
function marked({ text, start, end }: Written): string {
  if (start === end) return `${text.slice(0, start)}¦${text.slice(start)}`;
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`;
}

test.each([
  ['bold', 'a «b c» d', 'a **«b c»** d'],
  ['bold', 'a **«b»** c', 'a «b» c'],
  ['bold', 'a «**b**» c', 'a «b» c'],
  ['bold', 'a« b »c', 'a **«b»** c'],
  ['bold', 'a ¦', 'a **¦**'],
  ['italic', '«a»', '_«a»_'],
  ['code', '«a»', '`«a»`'],
  ['code', 'x «a\nb» y', 'x \n```\n«a\nb»\n```\n y'],
  ['link', '«here»', '[here](«https://»)'],
  ['link', '«https://a.example/»', '[¦](https://a.example/)'],
  ['bullets', 'a\n«b\nc»', 'a\n«- b\n- c»'],
  ['bullets', '«- b\n- c»', '«b\nc»'],
  ['bullets', 'a¦b', '- a¦b'],
  ['numbers', '«- a\n- b»', '«1. a\n2. b»'],
  ['quote', '«a\n- b»', '«> a\n> - b»'],
  ['quote', '«> a\n> b»', '«a\nb»'],
] as const)('%s makes %p into %p', (action, before, after) => {
  expect(marked(edited(written(before), action))).toBe(after);
});

test('what a button did, the button takes back', () => {
  const takenBack = markdownActions.filter((action) => action !== 'link');
  for (const action of takenBack as MarkdownAction[]) {
    const before = written('one «two three» four');
    expect(edited(edited(before, action), action).text.trim(), action).toBe(before.text);
  }
});

test.each([
  ['- a¦', '- a\n- ¦'],
  ['  3) a¦ b', '  3) a\n  4) ¦ b'],
  ['> a¦', '> a\n> ¦'],
  ['- a\n- ¦', '- a\n¦'],
])('Enter goes on from %p to %p', (before, after) => {
  const next = continued(written(before));
  expect(next && marked(next)).toBe(after);
});

test.each([
  ['- a\n- - ¦', '- a\n- ¦'],
  ['- a\n- * ¦', '- a\n* ¦'],
  ['1. a\n2. 2. ¦', '1. a\n2. ¦'],
  ['  - a\n  - - ¦b', '  - a\n  - ¦b'],
  ['> a\n> > ¦', '> a\n> ¦'],
  ['- a\n-   - ¦', '- a\n  - ¦'],
  ['1. a\n2.    - ¦', '1. a\n   - ¦'],
])('a mark that is typed after the one that Enter put there, %p, is one: %p', (before, after) => {
  const once = markedOnce(written(before));
  expect(once && marked(once)).toBe(after);
});

test.each(['- - ¦', 'a\n- - ¦', '- - a\n- - ¦', '- a\n- -¦', '- a\n- b - ¦', '> > a\n> > ¦', '- a\n«- - »'])(
  'the marks in %p are meant as they are',
  (before) => {
    expect(markedOnce(written(before))).toBeNull();
  },
);

test.each(['a¦', '-a¦', '«- a»', '- a\n¦'])('Enter does nothing special in %p', (before) => {
  expect(continued(written(before))).toBeNull();
});

test('an address pasted over words makes a link of them', () => {
  expect(pastedLink(written('see «this page»!'), ' https://a.example/b ')?.text).toBe(
    'see [this page](https://a.example/b)!',
  );
  expect(pastedLink(written('see «this page»!'), 'words')).toBeNull();
  expect(pastedLink(written('see ¦'), 'https://a.example')).toBeNull();
});

describe('what is asked for', () => {
  test.each([
    ['/', 'macro', ''],
    ['Hello\n/refund pol', 'macro', 'refund pol'],
    ['Hello @an', 'mention', 'an'],
    ['(@Ana Ru', 'mention', 'Ana Ru'],
  ] as const)('%p asks for a %s with %p', (text, kind, typed) => {
    expect(askedAt(text, text.length)).toEqual({ kind, typed, from: text.length - typed.length - 1, to: text.length });
  });
  test.each(['a /b', 'and/or', 'https://a', 'ana@demo', '@ ', '/  ', '@a  b', `@${'a'.repeat(41)}`])(
    '%p asks for nothing',
    (text) => {
      expect(askedAt(text, text.length)).toBeNull();
    },
  );
  test('only what is before the cursor counts', () => {
    expect(askedAt('/ref und', 4)?.typed).toBe('ref');
  });
});

test('a note names those whose names follow an @', () => {
  const agents = [
    { id: 1, name: 'Ana' },
    { id: 2, name: 'Ana Ruiz' },
    { id: 3, name: 'Noor' },
  ];
  const teams = [{ id: 7, name: 'Second level' }];
  expect(mentionedIn('@ana ruiz and @Noor, not x@Ana', agents, teams)).toEqual({ mentions: [2, 3], team_mentions: [] });
  expect(mentionedIn('@second level, see @Ana', agents, teams)).toEqual({ mentions: [1], team_mentions: [7] });
  expect(mentionedIn('@Ana, @Ana', agents, teams).mentions).toEqual([1]);
  expect(mentionedIn('@Anabel @Noorx', agents, teams).mentions).toEqual([]);
  const [first, second] = mentionsIn('Ask @ana ruiz (or @Noor).', agents);
  expect([first, second]).toEqual([
    { id: 2, start: 4, end: 13 },
    { id: 3, start: 18, end: 23 },
  ]);
});

describe('sending later', () => {
  // A Friday.
  const now = new Date(2026, 10, 20, 16, 40);
  test('offers moments in the time of this computer, and three hours are three hours', () => {
    expect(usualTimes(now).map(({ id, at }) => [id, fieldValue(at)])).toEqual([
      ['later', '2026-11-20T19:40'],
      ['tomorrow', '2026-11-21T09:00'],
      ['monday', '2026-11-23T09:00'],
    ]);
  });
  test('does not offer Monday twice', () => {
    const sunday = new Date(2026, 10, 22, 12);
    expect(usualTimes(sunday).map(({ id }) => id)).toEqual(['later', 'tomorrow']);
    const monday = usualTimes(new Date(2026, 10, 23, 12)).find(({ id }) => id === 'monday');
    expect(monday && fieldValue(monday.at)).toBe('2026-11-30T09:00');
  });
  test('takes only moments that the desk takes', () => {
    expect(sendTimeIn('', now)).toBe('missing');
    expect(sendTimeIn('2026-11-20T16:40', now)).toBe('past');
    expect(sendTimeIn('2027-03-01T09:00', now)).toBe('far');
    expect(sendTimeIn('2026-11-20T16:41', now)).toEqual(new Date(2026, 10, 20, 16, 41));
  });
});

test.each([
  ['one\n\n- a\n- ', 'one\n\n- a'],
  ['1. a\n2. \n\n', '1. a'],
  ['> said\n> ', '> said'],
  ['- a\n  - \n- ', '- a'],
  ['- ', ''],
  ['- a\n- - ', '- a'],
  ['- a\n- b', '- a\n- b'],
  ['a\n12.', 'a\n12.'],
  ['a - ', 'a - '],
  ['- a\n- \nb', '- a\n- \nb'],
])('of %p, %p is sent', (text, sent) => {
  expect(withoutEmptyEnd(text)).toBe(sent);
});

test.each([
  ['image.png', 'image/png', 'screenshot 2026-11-20 16.40.05.png'],
  ['', 'image/jpeg', 'screenshot 2026-11-20 16.40.05.jpg'],
  ['invoice.png', 'image/png', 'invoice.png'],
  ['image.png', 'text/plain', 'image.png'],
  ['', 'application/pdf', 'file'],
])('a pasted %p (%s) is called %p', (name, type, called) => {
  expect(pastedName(name, type, new Date(2026, 10, 20, 16, 40, 5))).toBe(called);
});

describe('of two drafts', () => {
  const desk = {
    body: 'desk',
    tab: 'reply',
    attachmentIds: [],
    fields: {},
    updatedAt: '2026-11-20T10:00:00Z',
  } as const;
  const local = (change: Partial<LocalDraft> = {}): LocalDraft => ({
    body: 'local',
    tab: 'reply',
    attachmentIds: [],
    fields: {},
    base: null,
    ...change,
  });
  test.each([
    ['nothing', null, null],
    ['desk', null, desk],
    ['local', local(), null],
    ['nothing', local({ body: ' ' }), null],
    ['local', local({ base: desk.updatedAt }), desk],
    ['conflict', local(), desk],
    ['conflict', local({ body: '', attachmentIds: [1] }), desk],
    ['conflict', local({ body: '', fields: { subject: 'Later' } }), desk],
    ['desk', local({ body: '' }), desk],
    ['desk', local({ body: 'desk' }), desk],
    ['local', local({ body: '', base: desk.updatedAt }), desk],
  ] as const)('the verdict is %s', (verdict, one, other) => {
    expect(verdictOn(one, other)).toBe(verdict);
  });
});

describe('changes of a macro that a browser kept', () => {
  test('come back as they were', () => {
    const staged = { status: 'pending' as const, add_tags: ['refund'], category_id: null };
    expect(stagedIn(JSON.stringify(staged))).toEqual(staged);
  });

  test.each([null, '', '{', 'null', '[]', '{}', '"x"', '{"add_tags":"x"}', '{"remove_tags":[1]}'])(
    'are none in %p',
    (text) => expect(stagedIn(text)).toBeNull(),
  );
});

test('what came while an agent writes is what is newer than the message seen last, also when that was moved away', () => {
  const message = (ulid: string) => ({ ulid, is_internal: false, is_agent: false, agent_name: null, send_at: null });
  const messages = ['01A', '01C', '01D'].map(message) as Parameters<typeof unseenMessages>[0]['messages'];
  const unseen = (seen: string | null) => unseenMessages({ messages }, seen, undefined).map(({ ulid }) => ulid);
  expect(unseen('01C')).toEqual(['01D']);
  expect(unseen('01B')).toEqual(['01C', '01D']);
  expect(unseen('01E')).toEqual([]);
  expect(unseen(null)).toEqual(['01A', '01C', '01D']);
});

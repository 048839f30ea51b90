// A person's traces in texts: all of theirs are removed, and no one else's words.

import { describe, expect, test } from 'bun:test';
import { tracesOf } from '../../../src/domain/customers/traces.ts';

const quirin = { emails: ['quirin@zwetschge.example'], names: ['Quirin Zwetschge'], externalIds: ['ext-17', '42'] };
const own = tracesOf(quirin, true);
const elsewhere = tracesOf(quirin, false);
const A = 'Anonymised';

describe('on their own tickets', () => {
  test.each([
    ['On Friday, Quirin Zwetschge <Quirin@Zwetschge.example> wrote:', `On Friday, ${A} <${A}> wrote:`],
    ['Regards,\nquirin', `Regards,\n${A}`],
    ['Hello Mr. ZWETSCHGE!', `Hello Mr. ${A}!`],
    ['Quirin\nZwetschge', A],
    ['quirin_zwetschge-cv.pdf', `${A}-cv.pdf`],
    ['https://x.example/?m=quirin%40zwetschge.example&u=ext-17', `https://x.example/?m=${A}&u=${A}`],
    ['<a href="mailto:quirin@zwetschge.example">Quirin&nbsp;Zwetschge</a>', `<a href="mailto:${A}">${A}</a>`],
    ['The Quirins and the zwetschgen stay', 'The Quirins and the zwetschgen stay'],
    ['There are 42 of them', 'There are 42 of them'],
    ['Nothing of theirs', 'Nothing of theirs'],
  ])('%j becomes %j', (text, expected) => {
    expect(own.text(text)).toBe(expected);
  });

  test('values in objects go too, keys and other values stay', () => {
    const value = { quirin: 'Quirin', list: ['a', 'zwetschge'], id: 42, other: 43, yes: true, none: null };
    expect(own.json(value)).toEqual({ quirin: A, list: ['a', A], id: null as never, other: 43, yes: true, none: null });
    expect(own.isIn(value)).toBe(true);
    expect(own.isIn({ quirin: 1 })).toBe(false);
  });
});

test('on the tickets of others, who may be called so too, only whole names, addresses and ids go', () => {
  expect(elsewhere.text('Anna Zwetschge and Quirin Zwetschge, ext-17')).toBe(`Anna Zwetschge and ${A}, ${A}`);
});

test.each([
  ['Jan van der Berg', 'Jan, de prijs van der fiets (jan 2026), Berg', `${A}, de prijs van der fiets (jan 2026), ${A}`],
  ["Zoë O'Neil", 'zoë o&#39;neil and ZOE\u0308', `${A} and ${A}`],
  ["Zoë O'Neil", 'zoë o\u2019neil, O&rsquo;Neil, n=O%27Neil', `${A}, ${A}, n=${A}`],
  ['Zoë O\u2019Neil', "ZOË O'NEIL and O&#39;Neil", `${A} and ${A}`],
  ['王伟', '请问王伟先生在吗', `请问${A}先生在吗`],
  ['A&B GmbH', 'From A&amp;B GmbH', `From ${A}`],
  ['(.*)+$', 'a (.*)+$ b', 'a (.*)+$ b'],
  ['Mononym', 'mononym was here', `${A} was here`],
  ['Jörg', 'x?n=J%C3%B6rg', `x?n=${A}`],
  ['Anonymised', 'Anonymised', 'Anonymised'],
])('the name %s is taken out of %j', (name, text, expected) => {
  expect(tracesOf({ emails: [], names: [name], externalIds: [] }, true).text(text)).toBe(expected);
});

const called = (...names: string[]) => tracesOf({ emails: [], names, externalIds: [] }, false);
const separators = [
  ...' \t\n.,;:()[]{}"/|\\-_+*#~!?\u2013\u2014\u00b7\u30fb\u201c\u201d\u00ab\u00bb\u00a0\u200b\uff0c\u{1f98a}',
];

test.each(separators)('words of a name that %j separates are found, with it and without it', (separator) => {
  const spaced = ` ${separator} `;
  for (const inName of [separator, spaced])
    for (const inText of [separator, spaced, ' ', ', ']) {
      const name = `Gundel${inName}Gaukeley`;
      expect(called(name).text(`Dear Gundel${inText}Gaukeley, hello`), name).toBe(`Dear ${A}, hello`);
    }
});

test.each([
  ['Gaukeley, Gundel', 'Regards Gaukeley, Gundel', `Regards ${A}`],
  ['Gaukeley, Gundel', 'Gundel Gaukeley, GUNDEL GAUKELEY, gundel.gaukeley@x.example', `${A}, ${A}, ${A}@x.example`],
  ['Gaukeley, Gundel', 'gaukeley_gundel.pdf, "Gaukeley, Gundel"', `${A}.pdf, "${A}"`],
  ['Gaukeley, Gundel', '?from=Gaukeley%2C%20Gundel&to=', `?from=${A}&to=`],
  ['Gaukeley, Gundel', '<b>From:</b> Gaukeley,&nbsp;Gundel &lt;', `<b>From:</b> ${A} &lt;`],
  ['Gaukeley, Gundel', 'On Friday Gaukeley,\n> Gundel wrote:', `On Friday ${A} wrote:`],
  ['Gundel Gaukeley', 'Gaukeley, Gundel and GAUKELEY, Gundel', `${A} and ${A}`],
  ['Gaukeley, Gundel A.', 'Gundel A. Gaukeley and Gaukeley, Gundel A.', `${A} and ${A}.`],
  ['van der Berg, Jan', 'Jan van der Berg, jan-van-der-berg.txt', `${A}, ${A}.txt`],
  ['Jan van der Berg', 'van der Berg, Jan; Berg, Jan van der', `${A}; ${A}`],
  ['Xandrinius "Fox" Plopperson', 'I am \u201cXandrinius &quot;Fox&quot; Plopperson\u201d', `I am \u201c${A}\u201d`],
  ["Xandrinius 'Fox' Plopperson", 'xandrinius fox plopperson, Xandrinius \u2018Fox\u2019 Plopperson', `${A}, ${A}`],
  ['Gundel (Sales) Gaukeley', 'Gundel (Sales) Gaukeley, gundel_sales_gaukeley', `${A}, ${A}`],
  [
    'Anna-Lena M\u00fcller-L\u00fcd',
    'anna lena m\u00fcller l\u00fcd, M\u00fcller\u2013L\u00fcd, Anna-Lena',
    `${A}, ${A}`,
  ],
  ["Sean O'Brien", 'sean.obrien@x.example, O\u2019Brien, Sean', `${A}@x.example, ${A}`],
  ['Gundel Gaukeley <gg@x.example>', 'Gundel Gaukeley said', `${A} said`],
  ['gg@x.example', 'write to gg@x.example or x.example', `write to ${A} or x.example`],
  ['Gundel @ Acme', 'Gundel @ Acme, gundel acme', `${A}, ${A}`],
  ['Tom & Jerry', 'Tom &amp; Jerry, Tom & Jerry', `${A}, ${A}`],
])('the whole name %s goes elsewhere too: %j', (name, text, expected) => {
  expect(called(name).text(text)).toBe(expected);
});

test.each([
  ['Will Smith', 'Smith will call. Ask Mr Smith. Will you? Regards\nSmith\n\nWill from the shop'],
  ['Gaukeley, Gundel', 'Gaukeley and Gundel, Gundel Other, hans@gaukeley.example'],
  ['Meier, Hans', 'hans@meier.example and meier@hans.example'],
  ['Foo Title', '<img alt="foo" title="bar" /><img alt="foo" title>'],
  ['Foo Bar', '<img alt="foo">bar onload=x'],
  ['Al Bo', 'also all book'],
])('for %s no word of others goes: %j', (name, text) => {
  expect(called(name).text(text)).toBe(text);
});

test('an initial stays on their own tickets, where it is any letter', () => {
  const traces = tracesOf({ emails: [], names: ['Gundel A. Gaukeley'], externalIds: [] }, true);
  expect(traces.text('A printer of Gundel A. Gaukeley')).toBe(`A printer of ${A}`);
});

test('an address that is made of the name goes with its domain', () => {
  const known = { emails: ['quirin.zwetschge@zw.example'], names: ['Quirin Zwetschge'], externalIds: [] };
  expect(tracesOf(known, true).text('to Quirin.Zwetschge@zw.example, Quirin Zwetschge')).toBe(`to ${A}, ${A}`);
});

test('a long hostile name and text do not take for ever', () => {
  const name = 'a '.repeat(150);
  const traces = tracesOf({ emails: [], names: [name, 'b'.repeat(5000)], externalIds: [] }, true);
  expect(traces.text('a . '.repeat(250_000)).length).toBeGreaterThan(0);
  const long = called('Gundel Gaukeley');
  for (const part of ['-', '"', '&_;', '\n>', '>', '="', 'Gundel ', 'Gundel " '])
    expect(long.text(`Gundel ${part.repeat(250_000)}`).length).toBeGreaterThan(0);
});

test.each([
  ['Ask joann@example.org, not ann@example.org.', `Ask joann@example.org, not ${A}.`],
  [
    'first.ann@example.org and ann@example.org.au are other people',
    'first.ann@example.org and ann@example.org.au are other people',
  ],
  ['<a href="?to=%3Cann%40example.org%3E">', `<a href="?to=%3C${A}%3E">`],
  ['mailto:ann@example.org?subject=x', `mailto:${A}?subject=x`],
])('an address goes only where it stands by itself: %j', (text, expected) => {
  expect(tracesOf({ emails: ['ann@example.org'], names: [], externalIds: [] }, false).text(text)).toBe(expected);
});

// Markdown that is made to take long: 10,000 characters each.

export const fill = (text: string) => text.repeat(Math.ceil(10_000 / text.length)).slice(0, 10_000);
export const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at))
    .join('\n')
    .slice(0, 10_000);

export const hostile: Record<string, string> = {
  'one long line': fill('hello world '),
  'one long word': fill('a'),
  'open brackets': fill('['),
  'nested brackets': '['.repeat(5000) + ']'.repeat(5000),
  'nested images': fill('![[]()'),
  'nested links': fill('[[]()'),
  'unfinished links': fill('[a](b '),
  'open parentheses': `[a](${fill('(')}`.slice(0, 10_000),
  'an unfinished title': `[a](b "${fill('\\"')}`.slice(0, 10_000),
  'deep quotes': fill('>'),
  'deep spaced quotes': fill('> '),
  'quotes of lists': fill('> - '),
  'lists of quotes': fill('1. > - '),
  'deep lists': lines(140, (at) => `${' '.repeat(at)}- a`),
  'emphasis runs': fill('*_*_a'),
  'unclosed emphasis': fill('*a **b '),
  'one run': `${'*'.repeat(3333)}a${'*'.repeat(3333)}`,
  underscores: fill('_a'),
  'struck text': fill('~~a'),
  backticks: lines(140, (at) => '`'.repeat(at)),
  'a wide table': `${'|a'.repeat(1600)}|\n${'|-'.repeat(1600)}|\n${fill('|b')}`.slice(0, 10_000),
  'a wide table of empty lines': `${'a|'.repeat(1700)}\n${'-|'.repeat(1700)}\n${'|\n'.repeat(1490)}`.slice(0, 10_000),
  'a wide table in a quote': `>${'a|'.repeat(1200)}\n>${'-|'.repeat(1200)}\n${'>|\n'.repeat(1000)}`.slice(0, 10_000),
  'a table of 100 columns': `${'a|'.repeat(100)}\n${'-|'.repeat(100)}\n${'|\n'.repeat(1400)}`,
  'a long table': `|a|\n|-|\n${fill('|b\n')}`.slice(0, 10_000),
  'many tables': fill('a|b\n-|-\n'),
  'many links': fill('[a](https://b.example)\n'),
  'many references': `[a]: /u\n\n${fill('[a]')}`.slice(0, 10_000),
  'many definitions': lines(800, (at) => `[a${at}]: /u`),
  'bare addresses': fill('http://a.b '),
  'an address of marks': `http://a.b${fill('?!')}`.slice(0, 10_000),
  'mail addresses': fill('a@b.c '),
  'open tags': fill('<a b="'),
  'angle brackets': fill('<'),
  entities: fill('&#'),
  'many lines': fill('b\n'),
  'a lazy quote': `> a\n${fill('b\n')}`.slice(0, 10_000),
  underlines: fill('a\n='),
  headings: fill('# a\n'),
  rules: fill('* * *\n'),
  fences: fill('```\n'),
  'spaces inside': `a${' '.repeat(9998)}b`,
  'astral letters': fill('**😀'),
};

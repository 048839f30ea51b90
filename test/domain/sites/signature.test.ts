// What stands under a reply.

import { expect, test } from 'bun:test';
import { signatureOf, signatureProblems } from '../../../src/domain/sites/signature.ts';

const eve = {
  siteName: 'Web *shop*',
  agentName: 'Eve [x](https://evil.example)',
  agentSignature: '**Eve**\n',
  reference: '#41',
};

test.each<[string | null, string]>([
  [null, '**Eve**'],
  ['{{site.name}}', 'Web \\*shop\\*'],
  ['{{agent.name}} · {{ticket.reference}}', 'Eve \\[x\\](https\\://evil.example) · #41'],
  ['{{ agent.signature }}\n\n{{site.name}}', '**Eve**\n\nWeb \\*shop\\*'],
])(
  'a site’s %p becomes %p: names are plain text, and only a place of its own brings the agent’s',
  (template, shown) => {
    expect(signatureOf(template, eve)).toBe(shown);
  },
);

test('an agent’s own is put in once, whatever it looks like', () => {
  expect(signatureOf('A {{agent.signature}} B', { ...eve, agentSignature: '{{site.name}} $& $1' })).toBe(
    'A {{site.name}} $& $1 B',
  );
});

test('names unknown variables', () => {
  expect(signatureProblems('{{agent.name}} {{agent.phone}} {{link}}')).toEqual([
    'names the unknown variable {{agent.phone}}.',
    'names the unknown variable {{link}}.',
  ]);
});

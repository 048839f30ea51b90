// Which templates a site can have.

import { describe, expect, test } from 'bun:test';
import { piecesOf, type TemplateName, templateErrors } from '../../../src/domain/mail/template.ts';

describe('a template', () => {
  test.each<[TemplateName, string | null, string, string[]]>([
    ['acknowledgement', null, 'Thank you.', []],
    ['acknowledgement', 'We have {{ticket.reference}}', '{{site.name}}\n\n{{link}}', []],
    ['acknowledgement', null, 'Dear {{author.name}}, {{ agent.name }}', ['body']],
    ['acknowledgement', 'About {{ticket.subject}}', 'Thank you.', ['subject']],
    ['acknowledgement', 'Read {{link}}', 'Thank you.', ['subject']],
    ['acknowledgement', null, 'Read it at {{link}}.', ['body']],
    ['acknowledgement', null, '[here]({{link}})', ['body']],
    ['receipt', null, 'Thank you.', ['body']],
    ['receipt', null, 'Thank you.\n{{ link }}', []],
    ['new_link', null, 'There is none.', ['body']],
    ['new_link', null, 'Here:\n\n  {{link}}\n\nBye', []],
    ['code', null, 'Your code:\n\n{{code}}', []],
    ['code', '{{code}} is your code', 'Look at the subject.', ['body']],
    ['code', null, 'Your code: {{code}}', ['body']],
    ['code', null, '{{code}}\n\n{{ticket.reference}}', ['body']],
    ['code', null, '{{code}}\n\n{{link}}', ['body']],
  ])('%s, %p, %p', (name, subject, body, fields) => {
    expect(Object.keys(templateErrors(name, { subject, body }))).toEqual(fields);
  });

  test('is told what is wrong, by name', () => {
    const { body, subject } = templateErrors('code', { subject: '{{x}}', body: 'Hi {{constructor}} {{code}}' });
    expect(subject).toEqual(['names the unknown variable {{x}}.']);
    expect(body).toEqual(['names the unknown variable {{constructor}}.', 'must have {{code}} on a line of its own.']);
    expect(templateErrors('receipt', { subject: null, body: 'Hi' }).body).toEqual([
      'must name {{link}}: the mail is for nothing without it.',
    ]);
  });

  test('comes apart into words and places', () => {
    expect(piecesOf('One\nline\n\n{{link}}\n{{ code }}\n\nTwo\n').map((piece) => Object.values(piece).join())).toEqual([
      'words,One\nline',
      'link',
      'code',
      'words,Two\n'.trim(),
    ]);
  });
});

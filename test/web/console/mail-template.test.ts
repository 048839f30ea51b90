// What the page of a mail template says of its words.

import { expect, test } from 'bun:test';
import { templateProblems } from '../../../src/domain/mail/template.ts';
import { problemText } from '../../../src/web/console/settings/writing/template-problems.ts';
import { messages } from '../../../src/web/messages/console/en/settings-writing.ts';
import { speak } from '../../../src/web/shared/messages.ts';

speak('en', messages);

test('it names what is wrong, and no field of the API', () => {
  const { subject, body } = templateProblems('receipt', { subject: '{{x}}', body: 'Hi {{a}} {{b}} {{link}}' });
  expect(problemText(subject)).toBe('The desk does not know {{x}}.');
  expect(problemText(body)).toBe('The desk does not know {{a}}, {{b}}. {{link}} must stand on a line of its own.');
  expect(problemText(templateProblems('code', { subject: null, body: 'Hi' }).body)).toBe(
    'Put in {{code}}: without it, this mail is of no use.',
  );
  expect(problemText(templateProblems('code', { subject: null, body: '{{code}}' }).body)).toBe('');
});

// Microsoft Teams: an Adaptive Card of plain text runs, in the envelope that Workflows webhooks accept.

import { firstLines, fit, lines } from '../../domain/plain-text.ts';
import type { Notification } from '../notification.ts';
import { summarise } from '../notification-words.ts';

// Teams refuses messages over 28 KB; up to 21 KB has worked. A UTF-16 unit takes at most 3 bytes.
const titleLength = 400;
const bodyLength = 4000;
const factLength = 200;
const bodyLines = 25;

export function teamsMessage(notification: Notification) {
  const { label, subject, body, facts } = summarise(notification);
  const text = firstLines(lines(body), bodyLines);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard' as const,
          version: '1.4',
          body: [
            paragraph([{ ...run(`${label} ${subject}`, titleLength), size: 'Medium', weight: 'Bolder' }]),
            ...(text === '' ? [] : [paragraph([run(text, bodyLength)])]),
            paragraph([{ ...run(facts.map(inWords).join('  ·  '), 5 * factLength), isSubtle: true, size: 'Small' }]),
          ],
          actions: [
            {
              type: 'Action.OpenUrl' as const,
              title: `Open ${notification.ticket?.reference ?? 'Helpdesk'}`,
              url: notification.url,
            },
          ],
          msteams: { width: 'Full' },
        },
      },
    ],
  };
}

function inWords({ label, value }: { label: string; value: string }): string {
  return `${label}: ${fit(value, factLength)}`;
}

function paragraph(inlines: object[]) {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string, maxLength: number) {
  return { type: 'TextRun', text: fit(splitMacros(text), maxLength) };
}

// A TextRun expands only the macros {{DATE(…)}} and {{TIME(…)}}.
function splitMacros(text: string): string {
  return text.replace(/\{(?=\{)/g, '{\u200b');
}

// Microsoft Teams: an Adaptive Card in the message envelope that Workflows webhooks take, in text runs only.

import { firstLines, fit, lines } from '../../domain/plain-text.ts';
import type { Notification } from '../notification.ts';
import { summarise } from '../summary.ts';

// Teams refuses messages over 28 KB; 21 KB has been seen to be safe. A UTF-16 unit takes at most 3 bytes.
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
              title: `Open ${notification.ticket?.reference ?? 'the desk'}`,
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

/** Unlike a TextBlock, a TextRun knows no Markdown; a mention would need an entity that this card has not. */
function run(text: string, maxLength: number) {
  return { type: 'TextRun', text: fit(splitMacros(text), maxLength) };
}

// {{DATE(…)}} and {{TIME(…)}} are the only macros that a TextRun expands.
function splitMacros(text: string): string {
  return text.replace(/\{(?=\{)/g, '{\u200b');
}

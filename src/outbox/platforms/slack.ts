// Slack: plain text blocks, so that no customer text is read as markup.

import { firstLines, fit, lines } from '../../domain/plain-text.ts';
import type { Notification } from '../notification.ts';
import { summarise } from '../notification-words.ts';

// Block Kit's limits: header 150, other texts 3000 characters.
const headerLength = 150;
const bodyLength = 3000;
const factLength = 300;
const bodyLines = 25;

export function slackMessage(notification: Notification) {
  const { label, subject, body, facts } = summarise(notification);
  const title = `${label} ${subject}`;
  const text = firstLines(lines(body), bodyLines);
  return {
    // Shown only in notifications; elsewhere the blocks replace it.
    text: fit(title, factLength, escapeSlack),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header' as const, text: plain(title, headerLength) },
      ...(text === '' ? [] : [{ type: 'section' as const, text: plain(text, bodyLength) }]),
      {
        type: 'context' as const,
        elements: facts.map(({ label, value }) => plain(`${label}: ${value}`, factLength)),
      },
      {
        type: 'section' as const,
        text: {
          type: 'mrkdwn' as const,
          text: `<${linkTarget(notification.url)}|Open ${notification.ticket?.reference ?? 'Helpdesk'}>`,
          verbatim: true,
        },
      },
    ],
  };
}

function plain(text: string, maxLength: number) {
  return { type: 'plain_text' as const, text: fit(text, maxLength, escapeSlack), emoji: false };
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function linkTarget(url: string): string {
  return escapeSlack(url.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E').replace(/\s/g, '%20'));
}

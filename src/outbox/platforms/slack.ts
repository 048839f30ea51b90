// Slack: blocks of plain text, so that nothing a customer wrote is read as markup.

import { firstLines, fit, lines } from '../../domain/plain-text.ts';
import type { Notification } from '../notification.ts';
import { summarise } from '../summary.ts';

// Block Kit's limits: header 150, any other text 3000 characters. The body is a notice, not the whole message.
const headerLength = 150;
const bodyLength = 3000;
const factLength = 300;
const bodyLines = 25;

export function slackMessage(notification: Notification) {
  const { label, subject, body, facts } = summarise(notification);
  const title = `${label} ${subject}`;
  const text = firstLines(lines(body), bodyLines);
  return {
    // Shown in notifications only; the blocks stand in its place everywhere else.
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
          text: `<${linkTarget(notification.url)}|Open ${notification.ticket?.reference ?? 'the desk'}>`,
          verbatim: true,
        },
      },
    ],
  };
}

function plain(text: string, maxLength: number) {
  return { type: 'plain_text' as const, text: fit(text, maxLength, escapeSlack), emoji: false };
}

// Slack decodes these three entities, and no others, in every text object.
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function linkTarget(url: string): string {
  return escapeSlack(url.replaceAll('|', '%7C').replaceAll('<', '%3C').replaceAll('>', '%3E').replace(/\s/g, '%20'));
}

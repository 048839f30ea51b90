// Discord: one embed with all Markdown escaped and no mentions.

import { firstLines, fit, lines } from '../../domain/plain-text.ts';
import type { Notification } from '../notification.ts';
import { summarise } from '../notification-words.ts';

// Discord's limits: title 256, description 4096, field value 1024, 6000 in total. These add up to less than 4700.
const titleLength = 256;
const bodyLength = 3000;
const factLength = 256;
const bodyLines = 25;

export function discordMessage(notification: Notification) {
  const { label, subject, body, color, facts } = summarise(notification);
  const text = firstLines(lines(body), bodyLines);
  return {
    embeds: [
      {
        title: `${label} ${fit(subject, titleLength - label.length - 1, escapeDiscord)}`,
        ...(text === '' ? {} : { description: fit(text, bodyLength, escapeDiscord) }),
        url: notification.url,
        color: Number.parseInt(color.slice(1), 16),
        fields: facts.map(({ label, value }) => ({
          name: label,
          value: fit(value, factLength, escapeDiscord),
          inline: true,
        })),
        timestamp: new Date(notification.at).toISOString(),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function escapeDiscord(text: string): string {
  // Colon and slash too, so that Discord recognises no address and no invitation.
  return text.replace(/[\\*_~`|<>[\]()#@:/.+-]/g, '\\$&');
}

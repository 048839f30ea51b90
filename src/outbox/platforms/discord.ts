// Discord: one embed, every mark of its Markdown escaped, nobody mentioned.

import { firstLines, fit, lines } from '../../domain/plain-text.ts';
import type { Notification } from '../notification.ts';
import { summarise } from '../summary.ts';

// Discord's limits: title 256, description 4096, a field's value 1024, 6000 over all of an embed's texts. These sum up
// to less than 4700.
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

/**
 * A backslash before each mark of emphasis, code, quote, list, heading, spoiler, link, mention, emoji and time. Colon
 * and slash are among them, so that neither an address nor an invitation is recognised.
 */
function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#@:/.+-]/g, '\\$&');
}

// Payloads of each platform, checked against its published types and limits, with hostile text in every place.

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextBlock, HeaderBlock, SectionBlock } from '@slack/types';
import { AdaptiveCard, SerializationContext } from 'adaptivecards';
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10';
import fc from 'fast-check';
import { channelTypes } from '../../src/domain/outbox/channel.ts';
import type { Notification } from '../../src/outbox/notification.ts';
import { discordMessage } from '../../src/outbox/platforms/discord.ts';
import { customPayload, formatNotification } from '../../src/outbox/platforms/formats.ts';
import { slackMessage } from '../../src/outbox/platforms/slack.ts';
import { teamsMessage } from '../../src/outbox/platforms/teams.ts';
import { at, hostileTexts, notificationsWith } from './notifications.ts';

const everywhere = (text: string) => notificationsWith({ subject: text, body: text, name: text });
const written = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6000 }),
  fc.string({ unit: 'binary', maxLength: 500 }),
  fc
    .array(fc.constantFrom(...hostileTexts.map((text) => text.slice(0, 200))), { maxLength: 60 })
    .map((all) => all.join('')),
);

/** Runs a check on all kinds of notification with each hostile text, and with generated ones. */
function withAnyText(check: (notification: Notification) => void) {
  for (const text of hostileTexts) everywhere(text).forEach(check);
  fc.assert(
    fc.property(written, (text) => everywhere(text).forEach(check)),
    { numRuns: 25 },
  );
}

describe('a custom channel', () => {
  test('gets the raw payload, with what belongs to the event', () => {
    const [created, replied, , changed, assigned, unassigned, people, warning, breached, alarm, tested] =
      notificationsWith({}).map((notification) => customPayload(notification));
    const common = {
      ticket_ulid: '01J8ZQ4T5M7N8P9Q0R1S2T3V4W',
      ticket_id: 7,
      site_id: 3,
      site_slug: 'acme',
      status: 'open',
      participants: [{ email: 'bo@example.org', name: 'Bo Berg' }],
    };
    expect(created).toEqual({
      id: '01J8ZQ6DDDDDDDDDDDDDDDDDDD',
      event: 'ticket.created',
      title: 'New ticket: #41 Cannot save my settings',
      body: 'It says "no".',
      url: 'https://desk.example.com/tickets/01J8ZQ4T5M7N8P9Q0R1S2T3V4W?a=1&b=2',
      color: '#2563eb',
      metadata: {
        ...common,
        message_ulid: '01J8ZQ5AAAAAAAAAAAAAAAAAAA',
        is_admin_reply: false,
        agent_name: null,
        author_name: 'Ada',
        author_external_id: 'u-1',
      },
      timestamp: '2026-09-11T09:30:00.000Z',
    });
    expect(replied?.title).toBe('Customer reply: #41 Cannot save my settings');
    expect(changed?.metadata).toEqual({ ...common, old_status: 'pending', new_status: 'open' });
    expect(assigned?.metadata).toEqual({ ...common, assignee: 'Ada', assignee_id: 5, team: 'Ada', team_id: 2 });
    expect(unassigned?.metadata).toEqual({ ...common, assignee: null, assignee_id: null, team: null, team_id: null });
    expect(people).toMatchObject({
      title: 'Participants: #41 Cannot save my settings',
      body: 'Added: Bo Berg.\nBack: Bo Berg, bo@example.org.\nRemoved: Bo Berg.\nPaused, mail came back: Bo Berg.\nLeft out: 2.',
      metadata: { ...common, left_out: 2 },
    });
    expect(warning).toMatchObject({
      title: 'SLA warning: #41 Cannot save my settings',
      body: 'The first response is due in 24 minutes (2026-09-11 09:54 UTC).',
      metadata: { ...common, sla_type: 'first_response', minutes_remaining: 24, due_at: '2026-09-11T09:54:00.000Z' },
    });
    expect(breached).toMatchObject({
      title: 'SLA breached: #41 Cannot save my settings',
      body: 'The first response was due 1 minute ago (2026-09-11 09:54 UTC).',
      metadata: { minutes_remaining: -1 },
    });
    expect(alarm).toMatchObject({
      title: 'Mailbox not read – Ada',
      body: 'It says "no".',
      metadata: { ticket_id: null, mailbox_id: 3, address: 'Ada', alarm: 'failing', reason: 'It says "no".' },
    });
    expect(tested?.metadata).toEqual({
      ticket_ulid: null,
      ticket_id: null,
      site_id: 3,
      site_slug: 'acme',
      status: null,
      participants: null,
    });
  });

  test('gets what the document for receivers shows and names', () => {
    const document = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
    const url = 'https://desk.example.com/tickets/01J8ZQ4T5M7N8P9Q0R1S2T3V4W';
    const all = notificationsWith({ body: 'The button does nothing.' }).map((notification) => {
      const { ticket } = notification;
      return customPayload({
        ...notification,
        url,
        ...(ticket ? { ticket: { ...ticket, id: 41 } } : {}),
      } as Notification);
    });
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(document)?.[1] ?? '');
    expect(all[0]).toEqual(example);
    for (const { event, metadata } of all) {
      expect(document).toContain(`| \`${event}\` |`);
      for (const name of Object.keys(metadata)) expect(document).toContain(`\`${name}\``);
    }
  });

  test('gets what was written as it was, whole and well-formed', () => {
    for (const text of hostileTexts) {
      const json = formatNotification('custom', everywhere(text)[0]!);
      expect(JSON.parse(json).body).toBe(text.toWellFormed());
      expect(JSON.parse(json).title).not.toMatch(/\p{Cc}/u);
    }
  });
});

describe('Slack', () => {
  const texts = (notification: Notification) => {
    const { text, blocks } = slackMessage(notification);
    const typed: (HeaderBlock | SectionBlock | ContextBlock)[] = blocks;
    const elements = blocks.flatMap((block) => (block.type === 'context' ? block.elements : [block.text]));
    return { fallback: text, elements, blocks: typed };
  };

  test('takes every payload: within its limits, and markup only in the desk’s own link', () => {
    withAnyText((notification) => {
      const { fallback, elements, blocks } = texts(notification);
      expect(blocks.length).toBeLessThanOrEqual(50);
      expect(blocks[0]).toMatchObject({ type: 'header' });
      for (const element of elements) {
        expect(element.text.length).toBeWithin(
          1,
          blocks[0] && 'text' in blocks[0] && element === blocks[0].text ? 151 : 3001,
        );
        if (element.type === 'plain_text') expect(element.text).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
      }
      expect(fallback).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
      expect(elements.filter((element) => element.type === 'mrkdwn')).toEqual([
        {
          type: 'mrkdwn',
          text: `<https://desk.example.com/tickets/01J8ZQ4T5M7N8P9Q0R1S2T3V4W?a=1&amp;b=2|Open ${notification.ticket ? '#41' : 'Helpdesk'}>`,
          verbatim: true,
        },
      ]);
    });
  });

  test('shows the text as it was written', () => {
    const { fallback, elements } = texts(
      notificationsWith({ subject: 'a < b && c > d', body: '*x*\r\n<!channel>' })[0]!,
    );
    expect(fallback).toBe('New ticket: #41 a &lt; b &amp;&amp; c &gt; d');
    expect(elements[1]).toEqual({ type: 'plain_text', text: '*x*\n&lt;!channel&gt;', emoji: false });
    expect(elements[2]!.text).toBe('From: Ada');
  });

  test('gets a URL that cannot leave its link', () => {
    const [notification] = notificationsWith({});
    const { elements } = texts({ ...notification!, url: 'https://desk.example.com/a|b>c <!channel>' });
    expect(elements.at(-1)!.text).toBe('<https://desk.example.com/a%7Cb%3Ec%20%3C!channel%3E|Open #41>');
  });
});

describe('Discord', () => {
  test('takes every payload: one embed within the limits, no one mentioned', () => {
    withAnyText((notification) => {
      const message: RESTPostAPIWebhookWithTokenJSONBody = discordMessage(notification);
      expect(Object.keys(message).toSorted()).toEqual(['allowed_mentions', 'embeds']);
      expect(message.allowed_mentions).toEqual({ parse: [] });
      expect(message.embeds).toHaveLength(1);
      const { title, description, fields, color, timestamp } = message.embeds![0]!;
      expect(title!.length).toBeWithin(1, 257);
      expect(description === undefined || (description.length > 0 && description.length <= 4096)).toBe(true);
      expect(fields!.length).toBeLessThanOrEqual(25);
      for (const { name, value } of fields!) {
        expect(name.length).toBeWithin(1, 257);
        expect(value.trim().length).toBeWithin(1, 1025);
      }
      const all = [title!, description ?? '', ...fields!.flatMap(({ name, value }) => [name, value])];
      expect(all.join('').length).toBeLessThanOrEqual(6000);
      // Without the escaped characters, nothing is left that could be Markdown. The label, `New ticket: #41`, is the
      // desk's own.
      for (const text of [title!.replace(/^[\w ]+: #41 /, ''), ...all.slice(1)])
        expect(text.replace(/\\[^0-9A-Za-z\s]/g, '')).not.toMatch(/[\\*_~`|<>[\]()#@:/]/);
      expect(color).toBeWithin(0, 0x1000000);
      expect(timestamp).toBe(new Date(at).toISOString());
    });
  });

  test('shows the text as it was written', () => {
    const embed = discordMessage(notificationsWith({ subject: '@everyone', body: '[a](https://b.example)' })[0]!)
      .embeds[0]!;
    expect(embed.title).toBe('New ticket: #41 \\@everyone');
    expect(embed.description).toBe('\\[a\\]\\(https\\:\\/\\/b\\.example\\)');
  });
});

describe('Teams', () => {
  test('takes every payload: its own parser has nothing to say, and no text is read as Markdown', () => {
    withAnyText((notification) => {
      const message = teamsMessage(notification);
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(21_000);
      expect(message).toMatchObject({
        type: 'message',
        attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null }],
      });
      const { content } = message.attachments[0]!;
      const context = new SerializationContext();
      const card = new AdaptiveCard();
      card.parse(content, context);
      const said = Array.from({ length: context.eventCount }, (_, i) => context.getEventAt(i).message);
      expect([...said, ...card.validateProperties().validationEvents.map((event) => event.message)]).toEqual([]);
      expect(card.getItemCount()).toBe(content.body.length);
      expect(content.msteams).toEqual({ width: 'Full' });
      for (const block of content.body) {
        expect(block.type).toBe('RichTextBlock');
        for (const inline of block.inlines) {
          expect(inline).toMatchObject({ type: 'TextRun' });
          expect('text' in inline && inline.text).not.toMatch(/\{\{/);
        }
      }
    });
  });

  test('the parser would have said so', () => {
    const context = new SerializationContext();
    new AdaptiveCard().parse({ type: 'AdaptiveCard', version: '1.4', body: [{ type: 'RichText' }] }, context);
    expect(context.eventCount).toBe(1);
  });
});

test('no platform gets half a character, a control or a turned line', () => {
  const strings = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : value && typeof value === 'object'
        ? Object.values(value).flatMap(strings)
        : [];
  withAnyText((notification) => {
    for (const type of channelTypes.filter((type) => type !== 'custom')) {
      for (const text of strings(JSON.parse(formatNotification(type, notification)))) {
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }
    }
  });
});

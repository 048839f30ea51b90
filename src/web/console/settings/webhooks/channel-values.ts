// What is edited of a webhook channel, how it is sent, and the commands that do the same.

import { webhookEvents } from '../../../../domain/event.ts';
import type { Refusal } from '../../../shared/api.ts';
import { t } from '../messages.ts';
import type { Channel } from './wire.ts';

export interface ChannelValues {
  name: string;
  type: Channel['type'];
  webhook_url: string;
  /** Their names, with commas: as one text a change is seen. */
  events: string;
  header_prefix: string;
  include_test: boolean;
}

const usualPrefix = 'X-Helpdesk';

export const newChannel: ChannelValues = {
  ...{ name: '', type: 'custom', webhook_url: '', events: 'ticket.created,ticket.replied' },
  ...{ header_prefix: usualPrefix, include_test: false },
};

export function valuesOf({ name, type, webhook_url, events, header_prefix, include_test }: Channel): ChannelValues {
  const prefix = header_prefix ?? usualPrefix;
  return { name, type, webhook_url, events: inOrder(events), header_prefix: prefix, include_test };
}

const inOrder = (events: readonly string[]) => webhookEvents.filter((event) => events.includes(event)).join(',');

export const isSent = ({ events }: ChannelValues, event: string) => events.split(',').includes(event);

export function withEvent(values: ChannelValues, event: string, isWanted: boolean): string {
  const others = values.events.split(',').filter((one) => one !== event);
  return inOrder(isWanted ? [...others, event] : others);
}

export function bodyOf({ events, header_prefix, ...values }: ChannelValues): object {
  return { ...values, events: events.split(','), ...(values.type === 'custom' ? { header_prefix } : {}) };
}

/** The address itself says which platform it belongs to. */
export function typeOf(url: string): Channel['type'] | null {
  const { hostname } = URL.canParse(url) ? new URL(url) : { hostname: '' };
  const ends = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
  if (ends('slack.com')) return 'slack';
  if (ends('discord.com') || ends('discordapp.com')) return 'discord';
  return ends('logic.azure.com') || ends('powerplatform.com') || ends('webhook.office.com') ? 'teams' : null;
}

export function missingIn({ name, webhook_url, events }: ChannelValues): Record<string, string> {
  return {
    ...(name.trim() === '' ? { name: t.required } : {}),
    ...(webhook_url.trim() === '' ? { webhook_url: t.required } : {}),
    ...(events === '' ? { events: t.chooseEvent } : {}),
  };
}

const blocked = 'is refused: ';

export function channelProblems({ fields }: Refusal): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, sentences]) => {
      const name = path.split('.')[0] ?? path;
      const [first = ''] = sentences;
      const at = first.indexOf(blocked);
      const url = at === -1 ? t.urlRefused : t.urlBlocked(first.slice(at + blocked.length));
      const known: Record<string, string> = { name: t.nameRefused, webhook_url: url, header_prefix: t.prefixRefused };
      return [name, known[name] ?? sentences.join(' ')];
    }),
  );
}

/** @param verb such as `add` or `update 2` */
export function channelCommand(site: string, verb: readonly string[], values: ChannelValues): string[] {
  const { name, type, webhook_url: url, events, header_prefix: prefix, include_test: includesTest } = values;
  return [
    ...['helpdesk', 'channel', ...verb, '--site', site, '--name', name, '--type', type, '--url', url],
    ...['--events', events],
    ...(type === 'custom' && prefix !== usualPrefix ? ['--header-prefix', prefix] : []),
    ...(includesTest ? ['--include-test'] : []),
  ];
}

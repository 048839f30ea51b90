// Settings of the server: data directory, address, trusted proxies and log.

import { isIP } from 'node:net';
import * as z from 'zod';
import { entry } from './entry.ts';
import { origin, words } from './values.ts';

function isAddressOrCidr(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

export const serverSettings = {
  HELPDESK_DATA: entry(
    z.string().min(1, { error: 'a path' }),
    './data',
    'The data directory, which holds everything that the desk stores.',
  ),
  HELPDESK_HOST: entry(
    z.string().min(1, { error: 'an address to listen on' }),
    '127.0.0.1',
    'The address to listen on.',
  ),
  HELPDESK_PORT: entry(
    z
      .string()
      .regex(/^\d{1,5}$/, { error: 'a port from 0 to 65535' })
      .transform(Number)
      .refine((port) => port <= 65535, { error: 'a port from 0 to 65535' }),
    '8080',
    'The port to listen on; 0 picks a free one.',
  ),
  HELPDESK_BASE_URL: entry(
    origin,
    '',
    'The public address of the desk, used in links, before one that an owner sets in the browser; by default the address that it listens on.',
  ),
  HELPDESK_INBOUND_DOMAIN: entry(
    z.string().regex(/^$|^[a-z0-9.-]{1,253}$/i, { error: 'a domain name' }),
    '',
    'The domain of the addresses that customers reply to, ticket+…@domain, before one that an owner sets in the browser; by default the host of the base URL.',
  ),
  HELPDESK_TRUSTED_PROXIES: entry(
    z
      .string()
      .transform(words)
      .refine((list) => list.every(isAddressOrCidr), { error: 'addresses or CIDRs, separated by commas' }),
    '',
    'Addresses or CIDRs of proxies whose X-Forwarded-For header is trusted.',
  ),
  HELPDESK_LOG_LEVEL: entry(
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], { error: 'debug, info, warn, error or silent' }),
    'info',
    'The least severe messages to log: debug, info, warn or error; silent logs nothing.',
  ),
  HELPDESK_LOG_FORMAT: entry(
    z.enum(['auto', 'pretty', 'json'], { error: 'auto, pretty or json' }),
    'auto',
    'The log format, pretty or json; auto is pretty on a terminal and json elsewhere.',
  ),
};

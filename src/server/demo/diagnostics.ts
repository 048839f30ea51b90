// What the applications of the demo sites say about a customer's device.

import { toWire } from '../../base/clock.ts';
import type { IngestTicketInput } from '../../domain/input/tickets.ts';
import type { SampleSite, SampleTicket } from './sample.ts';

const consoles = [
  ['info', 'Session restored', 41],
  ['warning', 'GET /api/v2/settings took 2140 ms', 12],
  [
    'error',
    "TypeError: Cannot read properties of undefined (reading 'unit')\n    at seriesOf (chart.js:214:31)\n    at draw (chart.js:98:5)",
    4,
  ],
  ['error', 'POST /api/v2/settings 422 (Unprocessable Entity)', 3],
] as const;

export function diagnosticsOf(
  about: SampleSite,
  sample: SampleTicket,
  { openedAt, number, email }: { openedAt: number; number: number; email: string },
): IngestTicketInput['context'] {
  const user = { external_id: email.split('@')[0]?.replace('.', '-') ?? '', plan: number % 2 === 0 ? 'pro' : 'free' };
  const app = { name: about.app, version: `4.${10 + (number % 4)}.${number % 3}`, environment: 'production' };
  if (sample.diagnostics === undefined) return { source: number % 3 === 0 ? 'email' : 'web', user };
  if (sample.diagnostics === 'phone')
    return {
      source: number % 2 === 0 ? 'ios' : 'android',
      app: { ...app, build: String(1800 + number) },
      device: {
        platform: number % 2 === 0 ? 'iOS' : 'Android',
        os_version: number % 2 === 0 ? '19.1' : '16',
        locale: 'en-GB',
      },
      user,
    };
  return {
    source: 'web',
    app,
    device: { platform: 'macOS', os_version: '16.1', locale: 'en-GB', timezone: about.timeZone },
    page: {
      url: `https://app.${about.slug}.example/settings/charts`,
      viewport: '1512x860',
      user_agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.1 Safari/605.1.15',
    },
    user,
    console: consoles.map(([level, message, secondsBefore]) => ({
      level,
      message,
      at: toWire(openedAt - secondsBefore * 1000),
    })),
    extra: { feature_flags: ['new-charts', 'fast-save'], request_id: `req-${9000 + number}` },
  };
}

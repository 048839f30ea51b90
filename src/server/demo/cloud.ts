// Lumen Cloud: software for teams, whose application sends diagnostics with each ticket.

import type { DemoSite } from './story.ts';

export const cloud: DemoSite = {
  name: 'Lumen Cloud',
  slug: 'lumen-cloud',
  description: 'Dashboards for people who run factories.',
  color: '#2563eb',
  timeZone: 'Europe/Berlin',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  hours: [
    ['08:00', '12:30'],
    ['13:00', '18:00'],
  ],
  categories: ['Bugs', 'Billing', 'Access', 'Questions'],
  fields: [
    { key: 'plan', label: 'Plan', type: 'select', options: ['Free', 'Team', 'Business'] },
    { key: 'seats', label: 'Seats', type: 'number' },
    { key: 'is_pilot', label: 'Pilot customer', type: 'boolean' },
  ],
  app: 'lumen-web',
  customers: [
    ['Aiko Tanaka', 'aiko.tanaka@example.com', 'en'],
    ['Lars Nyström', 'lars@example.net', 'en'],
    ['Émile Laurent', 'emile.laurent@example.org', 'fr'],
    ['Kateryna Bondar', 'kateryna@example.com', 'en'],
    ['Daniel Osei', 'daniel.osei@example.org', 'en'],
    ['Yusuf Demir', 'yusuf.demir@example.net', 'en'],
    ['Hannah Levi', 'hannah.levi@example.com', 'en'],
    ['Marek Nowak', 'marek.nowak@example.org', 'de'],
    ['Olivia Chen', 'olivia.chen@example.net', 'en'],
    ['Greta Simon', 'greta.simon@example.com', 'de'],
    ['Inès Petit', 'ines.petit@example.net', 'fr'],
  ],
  stories: [
    {
      subject: 'The {energy|output|downtime|quality} chart stays empty after the update',
      message:
        'Since this morning the chart shows “No data”, for every line and every week. The export still has all numbers.',
      category: 'Bugs',
      tags: ['bug', 'charts'],
      priority: 2,
      diagnostics: 'web',
      fields: { plan: '{Business|Team|Business|Free}', seats: 24 },
      turns: [
        [
          'note',
          1,
          'TypeError in the console of all three reports. It came with 4.12: the series without a unit are dropped. @Ben Adler, could you look at it today?',
        ],
        [
          'agent',
          2,
          'Thank you for the report. We found the cause: series **without a unit** are left out since 4.12.\n\nA fix is being tested and will be out today. Until then, giving the series any unit under `Settings → Series` brings the chart back.',
        ],
        ['customer', 4, 'The workaround does it. Please tell me when the real fix is there.'],
      ],
      endsAs: 'open',
    },
    {
      subject: 'Sign-in with {Google|Microsoft|Okta|Keycloak} fails for new colleagues',
      message:
        'Colleagues who joined in {September|October|November|August} get “account not found”. Everyone else can sign in.',
      category: 'Access',
      tags: ['sso'],
      priority: 3,
      diagnostics: 'web',
      fields: { plan: 'Business', seats: 140, is_pilot: true },
      turns: [
        [
          'agent',
          1,
          'I see their attempts arrive with an address that is not verified. Could you check whether your directory sends `email_verified`?',
        ],
      ],
      endsAs: 'pending',
    },
    {
      subject: 'Please add {two|five|ten|twelve} seats to our plan',
      message: 'We are growing. Can the new seats run until the same date as the others, so that there is one invoice?',
      category: 'Billing',
      tags: ['seats', 'invoice'],
      priority: 0,
      fields: { plan: 'Team', seats: 12 },
      turns: [
        ['agent', 3, 'Done. They end on the same date, and the next invoice has one line for all of them.'],
        ['customer', 4, 'Perfect, thanks!'],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'Export to {CSV|Excel|PDF|Parquet} cuts off at 10,000 rows',
      message: 'Our yearly report needs about 400,000 rows. The file stops at 10,000 and nothing says so.',
      category: 'Bugs',
      tags: ['export', 'data'],
      priority: 1,
      diagnostics: 'web',
      turns: [
        [
          'agent',
          5,
          'You are right: there is a limit, and it should at least be said. The API has none:\n\n```\ncurl -H "Authorization: Bearer $TOKEN" \\\n  "https://api.lumen.example/v2/series?from=2026-01-01"\n```\n\nI have written it down as a bug as well.',
        ],
      ],
      endsAs: 'pending',
    },
    {
      subject: 'L’alerte de {température|pression|vibration|niveau} arrive avec une heure de retard',
      message:
        'Bonjour,\n\nDepuis le changement d’heure, les alertes arrivent soixante minutes trop tard. Notre équipe de nuit ne peut plus s’y fier.\n\nCordialement',
      language: 'fr',
      category: 'Bugs',
      tags: ['alerts', 'french', 'daylight-saving'],
      priority: 3,
      turns: [['note', 1, 'Daylight saving again: the rule keeps the offset of the day it was created.']],
      endsAs: 'open',
    },
    {
      subject: 'The app logs me out every {hour|day|time I lock the phone|morning}',
      message: 'On my phone I have to sign in again and again. On the laptop it is fine.',
      category: 'Access',
      tags: ['mobile'],
      diagnostics: 'phone',
      turns: [
        ['agent', 6, 'Which version of the app is it? You find it under *Settings, About*.'],
        ['customer', 9, 'It is 4.1.7.'],
        [
          'agent',
          12,
          'Thank you. That version refreshes its key too late. 4.1.9 is in the store since today and fixes it.',
        ],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'How long do you keep {raw data|audit logs|deleted users|backups}?',
      message: 'Our auditor asks for it in writing. A link to a page would be enough.',
      category: 'Questions',
      tags: ['compliance'],
      priority: 0,
      turns: [
        [
          'agent',
          20,
          'Thirteen months, and then it is gone for good. It is written down in section 6 of the data processing terms.',
        ],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'Webhook to our {Slack|Teams|ERP|MES} gets the same alert twice',
      message: 'Every alert since the weekend arrives twice, a few seconds apart, with different ids.',
      category: 'Bugs',
      tags: ['webhooks', 'alerts'],
      priority: 2,
      turns: [],
      endsAs: 'open',
    },
    {
      subject: 'Cannot save my settings',
      message: 'The save button has done nothing since this morning. The console shows an error about a missing field.',
      category: 'Bugs',
      tags: ['bug', 'settings'],
      diagnostics: 'web',
      turns: [
        ['agent', 2, 'We have found the bug and fixed it. Please reload the page.'],
        ['customer', 3, 'Works again.'],
      ],
      endsAs: 'resolved',
    },
    {
      subject: 'Downgrade from {Business|Team|Business|Team} at the end of the {year|quarter|month|season}',
      message: 'We close one of our two plants. What happens to the dashboards of people who lose their seat?',
      category: 'Billing',
      tags: ['seats', 'retention'],
      turns: [['note', 4, 'A pilot customer since 2021. I would rather offer them the small yearly plan.']],
      endsAs: 'open',
    },
    {
      subject: 'Rechnung {2026-1108|2026-1131|2026-1177|2026-1204}: Bestellnummer fehlt',
      message: 'Ohne unsere Bestellnummer kann die Buchhaltung die Rechnung nicht bezahlen. Bitte ergänzen.',
      language: 'de',
      category: 'Billing',
      tags: ['invoice', 'german'],
      turns: [
        ['agent', 3, 'Gern. Die neue Fassung liegt in Ihrem Konto, und ab jetzt steht die Nummer auf jeder Rechnung.'],
      ],
      endsAs: 'resolved',
    },
  ],
};

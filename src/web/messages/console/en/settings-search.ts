// The search in the settings: other words for each section, separated by commas, in English.

import type { Same } from '../../en.ts';

export const messages = {
  findSetting: 'Find a setting',
  noSettingFound: 'No setting matches. Try another word.',

  wordsGeneral:
    'name, slug, language, close automatically, reopen, attachments, file types, answers by mail, auto-reply, virus scanner, file size, close tickets',
  wordsMailboxes: 'IMAP, SMTP, Gmail, Outlook, Microsoft 365, e-mail account, password, connect',
  wordsMailDns: 'SPF, DKIM, DMARC, DNS, records, delivered to spam',
  wordsSpam: 'rspamd, junk, score, hold mail',
  wordsSenders: 'block, blocklist, allow, allowlist, ban, domain',
  wordsFirstSteps: 'setup, onboarding, start, create a site, test mail',
  wordsPeople: 'agents, users, colleagues, team, invite, roles, owner, admin, members, permissions, delete an account',
  wordsTeams: 'groups, departments, members, round robin, assignment',
  wordsTokens: 'API, API key, access, abilities, program, bearer token',
  wordsAddresses: 'URL, base URL, link, domain, reply address, inbound, hostname',
  wordsBucket: 'S3, object store, attachments, storage, disk, MinIO',
  wordsMailServer: 'SMTP, sending, invitations, sender address, password links',
  wordsMailApps: 'OAuth, Google, Microsoft, client id, client secret',
  wordsMailTrace: 'lost mail, Message-ID, delivery, where is my mail, bounce, returned mail',
  wordsWorkingHours:
    'office hours, opening hours, week, holidays, time zone, calendar, business hours, timezone, working days',
  wordsWebhooks: 'integrations, events, deliveries, signature, Slack, HTTP',
  wordsSignIn: 'second factor, 2FA, password, OpenID, single sign-on, SSO, name of the desk, reports on agents',
  wordsNotices: 'notifications, quiet hours, push, sound, mail digest, defaults, bell',
  wordsAudit: 'history, who changed what, CSV, security, log',
  wordsCategories: 'topics, kinds of tickets, sort',
  wordsPriorities: 'urgent, importance, order',
  wordsMacros: 'canned responses, saved replies, templates, text blocks, placeholders, snippets',
  wordsFields: 'custom fields, order number, form, required',
  wordsRules: 'automation, filter, forward, discard, assign automatically, order, simulator',
  wordsTriggers:
    'automation, escalation, events, when something happens, workflow, assign automatically, auto-reply, escalate',
  wordsTimedRules:
    'automation, escalation, reminder, close automatically, follow up, waiting too long, schedule, time since, escalate, close tickets',
  wordsRecurring: 'automation, schedule, cron, every week, every month, repeat, checklist, planned, maintenance',
  wordsSla: 'targets, first response, resolution, due, deadline, breach',
  wordsInbound: 'Mailgun, Postmark, SendGrid, SES, pipe, provider, inbound address',
  wordsCustomersPages:
    'brand, logo, colour, form, portal, links, embed, color, theme, contact form, widget, help center',
  wordsSignatures: 'senders, from address, reply address, name, footer',
  wordsTemplates:
    'acknowledgement, automatic mails, texts, confirmation, autoresponder, auto-reply, footer, satisfaction survey',
  wordsSystem:
    'health, doctor, backup, restore, storage, disk, outbox, version, cluster, environment, virus scanner, queue, logs, upgrade, update',
  wordsEnvironment: 'settings of the environment, variables, HELPDESK_, configuration',
  wordsSettingsFile: 'export, import, YAML, file, copy, version control, Git',
  wordsDanger: 'delete the site, remove, rotate, site token, secret, remove the site',
  wordsSites: 'create a site, new shop, brand, add a site',
};

export type Search = Same<typeof messages>;

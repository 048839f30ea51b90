// Input of the verbs on agents and team tokens, in the wire's names.

import * as z from 'zod';
import { agentRoles, tokenAbilities } from '../actor.ts';
import { locales, secondFactorPolicies } from '../people/preferences.ts';
import { agentReports } from '../reports/metrics.ts';
import { email, line, moment, optionalLine, resourceId, timeZone } from './fields.ts';
import { isWebAddress, ownMailServerInput, secret } from './mailboxes.ts';
import { deskNotificationsInput } from './notifications.ts';

export const agentInput = z.object({
  email: email(),
  name: line(255).meta({ examples: ['Kim Sato'] }),
  role: z.enum(agentRoles).nullish(),
  sites: z.array(resourceId()).max(1000).nullish(),
  is_active: z.boolean().nullish(),
});
export type AgentInput = z.output<typeof agentInput>;

/** `invite` is true when left out. */
export const newAgentInput = agentInput.extend({ invite: z.boolean().nullish() });
export type NewAgentInput = z.output<typeof newAgentInput>;

export const agentChangeInput = agentInput.partial();
export type AgentChangeInput = z.output<typeof agentChangeInput>;

export const availabilityInput = z.object({
  is_available: z.boolean().meta({ examples: [false] }),
  until: moment()
    .nullish()
    .meta({ description: 'When the absence ends by itself.', examples: [null] }),
  note: optionalLine(200)
    .nullish()
    .meta({ description: 'What colleagues see.', examples: ['On holiday'] }),
});
export type AvailabilityInput = z.output<typeof availabilityInput>;

export const tokenInput = z.object({
  name: line(255).meta({ examples: ['Reporting'] }),
  abilities: z
    .array(z.enum(tokenAbilities))
    .min(1)
    .max(10)
    .meta({ examples: [['read']] }),
  /** Null for every site. A token's answer calls it `site`, which is taken too: left out, it would open every site. */
  site_id: resourceId().nullish(),
  site: resourceId().nullish(),
  expires_at: moment().nullish(),
});
export type TokenInput = z.output<typeof tokenInput>;

export const tokenChangeInput = z.object({
  name: line(255).optional(),
  abilities: tokenInput.shape.abilities.optional(),
  expires_at: moment().nullable().optional(),
});
export type TokenChangeInput = z.output<typeof tokenChangeInput>;

const clean = { error: 'must have no user, query or fragment.' };

const ownIssuerInput = z.object({
  issuer: z
    .string()
    .trim()
    .max(500)
    .refine(isWebAddress, { error: 'must be an https address.' })
    .refine((text) => !/[@?#]/.test(text), clean)
    .meta({ examples: ['https://login.example.org'] }),
  client_id: line(500).meta({ description: 'As the issuer names the desk.', examples: ['helpdesk'] }),
  client_secret: secret.nullable().optional().meta({
    description: 'Never shown again. Left out, the one that is stored stays; null: there is none.',
  }),
  label: optionalLine(60)
    .nullable()
    .default(null)
    .meta({ description: 'The name on the button. null: the host of the issuer.' }),
  domains: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(253)
        .regex(/^[^\s@/:]+$/, { error: 'must be a domain.' }),
    )
    .max(100)
    .default([])
    .meta({ description: 'E-mail domains whose users become members when they first sign in.', examples: [[]] }),
  role_claim: optionalLine(255)
    .nullable()
    .default(null)
    .meta({ description: 'The claim that has the role of an agent at every sign-in.', examples: [null] }),
});
export type OwnIssuerInput = z.output<typeof ownIssuerInput>;

const ownBucketInput = z.object({
  endpoint: z
    .string()
    .trim()
    .max(500)
    .refine((text) => URL.canParse(text) && /^https?:\/\/[^/@?#]+\/*$/.test(text), {
      error: 'must be an address such as https://s3.example.org.',
    })
    .transform((text) => new URL(text).origin)
    .meta({ type: 'string', description: 'Of an S3-compatible store.', examples: ['https://s3.example.org'] }),
  bucket: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,255}$/, { error: 'must be the name of a bucket.' })
    .meta({ examples: ['desk-files'] }),
  region: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'must be the name of a region.' })
    .default('us-east-1')
    .meta({ description: 'Stores without regions take us-east-1 or auto.' }),
  access_key_id: line(500).meta({ examples: ['desk'] }),
  secret_access_key: secret
    .optional()
    .meta({ description: 'Never shown again. Left out, the one that is stored stays.' }),
  stores_files: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether new files go there. Those that are there, or on the disk, stay and are read.' }),
  takes_folders: z.boolean().default(false).meta({
    description:
      'Takes over the folders that another copy of the desk made, and removes the files in them that this one does not have.',
  }),
});
export type OwnBucketInput = z.output<typeof ownBucketInput>;

export const deskInput = z.object({
  name: line(255)
    .meta({ examples: ['Helpdesk'] })
    .optional(),
  locale: z.enum(locales).optional(),
  time_zone: timeZone().optional(),
  require_second_factor: z.enum(secondFactorPolicies).optional(),
  push_content: z
    .boolean()
    .meta({ description: 'Whether a push says what its ticket is about and who wrote.' })
    .optional(),
  notifications: deskNotificationsInput.optional(),
  agent_reports: z.enum(agentReports).optional(),
  mail_server: ownMailServerInput
    .nullable()
    .optional()
    .meta({ description: 'Takes mail that leaves through no mailbox, unless HELPDESK_SMTP_URL is set.' }),
  issuer: ownIssuerInput
    .nullable()
    .optional()
    .meta({ description: 'Where agents can sign in with OpenID Connect, unless HELPDESK_OIDC_ISSUER is set.' }),
  bucket: ownBucketInput.nullable().optional().meta({
    description:
      'Where files are kept, unless HELPDESK_S3_* is set. Null forgets it: files that are only there cannot be read until it is set again.',
  }),
  base_url: z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:\/\/[^/]+$/.test(text), {
      error: 'must be an address such as https://desk.example.org.',
    })
    .transform((text) => new URL(text).origin)
    .nullable()
    .optional()
    .meta({
      type: ['string', 'null'],
      description:
        'The public address of the desk, unless HELPDESK_BASE_URL is set: the one that this request is sent to.',
      examples: [null],
    }),
  inbound_domain: z
    .string()
    .toLowerCase()
    .regex(/^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/, {
      error: 'must be a domain, such as support.example.org.',
    })
    .nullable()
    .optional()
    .meta({
      type: ['string', 'null'],
      description: 'The domain of the addresses that customers reply to, unless HELPDESK_INBOUND_DOMAIN is set.',
      examples: [null],
    }),
});
export type DeskInput = z.output<typeof deskInput>;

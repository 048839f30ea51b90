// The flags of a command, from the schemas of its operation, with words from one table.

import { Option } from 'commander';
import type * as z from 'zod';
import { personIn } from '../src/domain/mail/address.ts';
import type { Operation } from '../src/http/operation.ts';
import { askFor } from './ask.ts';
import { collect, list, momentOf, orList, ticketName, wholeNumber, yesOrNo } from './flags.ts';
import type { Opened } from './opened-desk.ts';

type Flags = Readonly<Record<string, unknown>>;
type Read = (text: string, flag: string, opened: Opened) => unknown;

interface Words {
  /** Otherwise the name of the field. */
  flag?: string;
  /** Otherwise the description in the schema. The values of an enum are added. */
  meaning?: string;
  /** The word for null, where null says something that leaving the flag out does not. */
  none?: string;
  /** What a flag without a value stands for. */
  bare?: unknown;
  read?: Read;
}

const moment = 'a time such as 2026-09-11T09:30:00Z, or a span from now such as 4h or 3d';
const minutes = 'minutes of working time until it is due';

/** By the name of a field, in lists and in what is stored. */
const words: Readonly<Record<string, Words>> = {
  actor: { flag: '--actor <actor>', meaning: 'agent:1, token:1, command_line, desk or unknown' },
  target: { flag: '--target <target>', meaning: 'what was changed, such as category:5' },
  field: { flag: '--field <field>', meaning: 'only changes of this field, such as bucket' },
  add_tags: { meaning: 'tags to add' },
  agent_id: { meaning: 'id of the agent who writes' },
  site_ids: { flag: '--sites <ids>', meaning: 'only these sites', read: idsIn },
  agent_ids: { flag: '--agents <ids>', meaning: 'ids of the agents who get it', read: idsIn },
  agent_name: { meaning: 'name of the agent who writes' },
  acknowledge: { meaning: 'confirm new tickets to their customers by mail' },
  agent_mail: { meaning: "what an agent's answer by mail becomes: note, reply or off" },
  action: { meaning: 'such as site.updated,token.issued' },
  agent_reports: { meaning: 'who sees what single agents did in reports' },
  assigned_to: { flag: '--assign <agent>', none: 'none', meaning: 'agent id' },
  auto_close_days: { none: 'never', meaning: 'close tickets that have been resolved for this many days' },
  certificate_sha256: { flag: '--fingerprint <sha256>', meaning: 'trust only the certificate with this fingerprint' },
  client_id: { flag: '--client-id <id>', meaning: 'as the provider names the desk' },
  base_url: { none: 'none', meaning: 'public address of the desk, such as https://desk.example.org' },
  body_format: { flag: '--markdown', bare: 'markdown', meaning: 'the text is Markdown' },
  'brand.color': { flag: '--brand-color <color>', none: 'none', meaning: "colour of customers' pages such as #2563eb" },
  'brand.name': { none: 'none', meaning: "name on customers' pages instead of the site's own" },
  address: { none: 'none', meaning: 'e-mail address that mails are from' },
  category_id: { none: 'none', meaning: 'category id' },
  color: { meaning: 'such as #2563eb' },
  created_from: { flag: '--created-from <time>', meaning: 'created at or after this time' },
  created_to: { flag: '--created-to <time>', meaning: 'created at or before this time' },
  cursor: { flag: '--cursor <cursor>', meaning: 'continue after an earlier page, with the cursor from its JSON' },
  customer_links: { meaning: "what links in customers' mail allow" },
  default_priority_id: { meaning: 'priority of new tickets' },
  description: { flag: '--description <text>' },
  stop_processing: { meaning: 'skip the rules after this one when it matches' },
  dkim_selectors: { meaning: 'what your mail server signs with, such as s1,s2' },
  digest_at: { flag: '--digest-at <time>', meaning: 'when the mail of a day goes, such as 08:00' },
  direction: { flag: '--direction <direction>', meaning: 'order (default: desc)' },
  domains: { meaning: 'domains of addresses whose people become members when they first sign in' },
  email: { flag: '--email <address>', meaning: "customer's e-mail address" },
  expires_at: { flag: '--expires <when>', meaning: 'a span such as 90d, or a time (default: never)' },
  external_id: { flag: '--external-id <id>', meaning: "customer's id in the application" },
  first_response_minutes: {
    flag: '--first-response <minutes>',
    none: 'none',
    meaning: `target for the first response: ${minutes}`,
  },
  from: { flag: '--from <sender>', meaning: 'id of the sender that the mail is from' },
  follow_when_answering: { meaning: 'agents follow tickets that they answer' },
  follow_when_mentioned: { meaning: 'agents follow tickets in which they are mentioned' },
  grace_minutes: { flag: '--grace <minutes>', meaning: 'how long the old one stays valid' },
  satisfaction: { meaning: 'only tickets whose customer says that the help was good, or bad' },
  has_attachment: { meaning: 'only tickets with an attachment' },
  header_prefix: { meaning: 'start of the header names that a custom channel receives (default: X-Helpdesk)' },
  holidays: { meaning: 'days without working hours, such as 2026-12-25,2026-12-26' },
  include_test: { bare: true, meaning: 'also what concerns test tickets' },
  inbound_domain: { none: 'none', meaning: 'domain of the addresses that customers reply to' },
  into: { flag: '--into <ticket>', read: ticketName, meaning: 'the ticket that gets everything' },
  is_active: { meaning: 'whether it is in use' },
  is_author_visible: { flag: '--visible <yes|no>', meaning: 'whether customers see it' },
  is_default: { meaning: 'whether new tickets get it' },
  is_required: { meaning: 'whether a ticket must have it' },
  is_spam: { meaning: 'mark as spam, or take the mark away' },
  is_test: { bare: true, meaning: 'make it a test ticket, which sends no notifications and is not counted' },
  key: { meaning: 'name in the API' },
  label: { meaning: 'name that people see' },
  level: { meaning: 'higher is more urgent' },
  locale: { none: 'none', meaning: "language of customers' pages and mail" },
  mail_after_minutes: { meaning: 'mail only what is still unread after so many minutes' },
  mail_mode: { meaning: 'how mail to agents goes' },
  macro_id: { meaning: 'apply a macro: its text goes to each customer as a reply' },
  first_days: { none: 'none', meaning: 'also read so many days before now, silently' },
  save_sent: { meaning: 'put a copy of sent mail into Sent, if the server keeps none' },
  max_open_per_agent: { none: 'none', meaning: 'who has so many open tickets gets no more automatically' },
  wait_minutes: { none: 'never', meaning: 'after so many minutes the team hears of a ticket that no one has' },
  returns_when_away: { meaning: "a customer's message takes a ticket back from an assignee who is away" },
  members: { read: (text, flag) => list(text)?.map((one) => wholeNumber(one, flag)) },
  mail_from_address: { meaning: "sender's address of the site's mail" },
  mail_from_name: { meaning: "sender's name of the site's mail" },
  name: { meaning: 'name' },
  ask_satisfaction: { meaning: 'ask customers of resolved tickets how the help was' },
  notify_resolved: { meaning: 'tell customers by mail when their ticket is resolved' },
  only: { bare: true, meaning: 'move only this message; those after it stay' },
  options: { meaning: 'choices of a select or multiselect field' },
  page: { flag: '--page <number>', meaning: 'page to show (default: 1)' },
  pause_while_pending: { meaning: 'whether the clocks of pending tickets stop' },
  per_page: { flag: '--per-page <number>', meaning: 'how many a page has' },
  portal: { meaning: 'what customers find at /s/<slug>' },
  priority_id: { meaning: 'priority id' },
  q: { flag: '--q <words>', meaning: 'search in subject, messages and customer; also #41 or a ULID' },
  remove_tags: { meaning: 'tags to remove' },
  require_second_factor: { flag: '--require-second-factor <whom>', meaning: 'who must have a second factor' },
  resolution_minutes: {
    flag: '--resolution <minutes>',
    none: 'none',
    meaning: `target for the resolution: ${minutes}`,
  },
  send_at: { meaning: `when it is sent: ${moment}, at most 90 days ahead` },
  sender_id: { flag: '--sender <sender>', none: 'none', meaning: 'id of the sender that it answers from' },
  ses_topic_arns: { meaning: 'SNS topics that may deliver mail from SES' },
  site_id: { flag: '--site <site>', meaning: 'only this site: id, ULID or slug', read: siteIdOf },
  signature: { none: 'none', meaning: "what stands under agents' replies, with variables (none: each agent's own)" },
  slug: { meaning: 'short name for addresses (default: made from the name)' },
  snooze_hours: { meaning: 'snooze for this many hours' },
  snoozed: { meaning: 'only snoozed tickets' },
  snoozed_until: { flag: '--snooze <time>', none: 'none', meaning: moment },
  sort: { flag: '--sort <order>' },
  sort_order: { meaning: 'position among the others' },
  status_after_agent_reply: { none: 'unchanged', meaning: 'status of a ticket after an agent replies' },
  subject: { meaning: 'subject' },
  team_id: { flag: '--team <team>', none: 'none', meaning: 'team id' },
  time_zone: { flag: '--time-zone <zone>', meaning: 'IANA time zone' },
  tag: { flag: '--tag <tag>', meaning: 'only tickets with this tag; can be repeated' },
  tags: { meaning: 'all tags of the ticket; empty removes them' },
  to: { flag: '--to <address>', meaning: 'only to these, with or without the customer', read: peopleIn },
  cc: { flag: '--cc <address>', meaning: 'who gets it too, such as "Bo Berg <bo@example.org>"', read: peopleIn },
  bcc: { flag: '--bcc <address>', meaning: 'who gets a copy of their own, without a link', read: peopleIn },
  notify_author: { flag: '--notify <yes|no>', meaning: 'mail it to the customer, or no mail at all' },
  source: { meaning: 'how it came' },
  attachment_types: { meaning: 'types of files that customers can send besides the usual ones' },
  refused_attachment_types: { none: 'default', meaning: 'types of files that no one can send' },
  attachment_max_mb: { meaning: 'megabytes of one file' },
  mail_attachment_max_mb: { meaning: 'megabytes of one file in a mail' },
  attachment_scan: { meaning: 'files while the virus scanner is down, or cannot judge them' },
  attachments_total_mb: { none: 'none', meaning: 'megabytes of all files of the site' },
  allowed_senders: { meaning: 'addresses and domains whose mail is not taken for spam' },
  spam_hold_score: { none: 'none', meaning: 'score of the spam filter from which mail is held' },
  spam_mark_score: { none: 'none', meaning: 'score from which a new ticket of a proven sender is marked as spam' },
  blocked_senders: { meaning: 'addresses and domains whose mail is never filed' },
  skipped_steps: { meaning: 'of the first steps in the console: address,test,team,connect' },
  trusted_arc_sealers: { meaning: 'domains of mailing lists and forwarders whose ARC seals are trusted' },
  trusted_mail_servers: { meaning: 'servers whose Authentication-Results are trusted for raw mail' },
  unassigned: { meaning: 'only tickets without an agent' },
  updated_from: { flag: '--updated-from <time>', meaning: 'changed at or after this time' },
  updated_to: { flag: '--updated-to <time>', meaning: 'changed at or before this time' },
  warn_at_percent: { meaning: 'warn when this much of the time is used' },
  webhook_url: { flag: '--url <url>', meaning: 'webhook address' },
};

/** Of lists, where the same field is a filter. */
const filterWords: Readonly<Record<string, Words>> = {
  assigned_to: { flag: '--assigned-to <ids>', meaning: 'agent ids' },
  category_id: { flag: '--category <ids>', meaning: 'category ids' },
  email: { flag: '--email <address>', meaning: "customer's e-mail address, or @example.org for a domain" },
  from: { flag: '--from <time>', meaning: 'at or after this time' },
  include_test: { meaning: 'also test tickets' },
  is_spam: { meaning: 'only spam, which is otherwise left out' },
  mentions: { flag: '--mentions <ids>', meaning: 'only tickets with a message that mentions one of these agents' },
  participant: {
    flag: '--participant <address>',
    meaning: 'only tickets in which this address takes part, or @example.org for a domain',
  },
  priority_id: { flag: '--priority <ids>', meaning: 'priority ids' },
  sort: { flag: '--sort <key>' },
  team_id: { flag: '--team <ids>', meaning: 'team ids' },
  to: { flag: '--to <time>', meaning: 'at or before this time' },
};

/** A comma in quotes belongs to a name. */
function peopleIn(text: string) {
  return (text.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((part) => personIn(part.trim()));
}

function idsIn(text: string): number[] {
  return (list(text) ?? []).map(Number);
}

async function siteIdOf(name: string, _flag: string, opened: Opened): Promise<number> {
  return (await askFor<{ data: { id: number } }>(opened, 'sites/readSite', { params: { site: name } })).data.id;
}

interface Field {
  def: z.core.$ZodTypes['_zod']['def'];
  isRequired: boolean;
  isNullable: boolean;
  /** From the schema's metadata, as the document of the API has it. */
  noted: { type?: unknown; format?: unknown; description?: string };
}

/** The schema of a value without what is around it. */
function fieldOf(schema: z.core.$ZodType): Field {
  const field = { isRequired: schema._zod.optin === undefined, isNullable: false, noted: {} };
  for (let inner = schema as z.ZodType; ; ) {
    field.noted = { ...inner.meta(), ...field.noted };
    const { def } = (inner as unknown as z.core.$ZodTypes)._zod;
    if (def.type === 'nullable') field.isNullable = true;
    if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
      inner = def.innerType as z.ZodType;
    else if (def.type === 'pipe') inner = def.in as z.ZodType;
    else return { ...field, def };
  }
}

const optionsOf = (def: Field['def']) => (def.type === 'enum' ? Object.values(def.entries).map(String) : []);

export interface OperationFlag {
  option: Option;
  /** Of the field in the body, or its name in the query. */
  path: readonly string[];
  /** What the flag says, as the API takes it; undefined when it was not given. */
  valueOf(flags: Flags, opened: Opened): unknown;
}

export interface FlagChoice {
  /** Only these fields have a flag. */
  only?: readonly string[];
  /** These fields have none. */
  without?: readonly string[];
  /** What this command says about a field instead. */
  meanings?: Readonly<Record<string, string>>;
  defaults?: Readonly<Record<string, string>>;
}

export function flagsOf({ query, body }: Operation, choice: FlagChoice): OperationFlag[] {
  const isChosen = (name: string) => (choice.only?.includes(name) ?? true) && choice.without?.includes(name) !== true;
  const flags: OperationFlag[] = [];
  const addAll = (schema: z.core.$ZodType, table: typeof words, above: readonly string[] = [], prefix = '') => {
    const { def: group } = fieldOf(schema);
    for (const [name, inner] of group.type === 'object' ? Object.entries(group.shape) : []) {
      const field = fieldOf(inner);
      const key = `${prefix}${name}`;
      if (!isChosen(key)) continue;
      const path = [...above, name];
      // What a group holds has flags of its own, of which only a brand's name their group.
      if (field.def.type === 'object') addAll(inner, table, path, name === 'brand' ? 'brand.' : '');
      else if (readers[field.def.type] !== undefined) flags.push(flagOf(key, path, field, choice, table[key] ?? {}));
    }
  };
  if (query !== undefined) addAll(query, { ...words, ...filterWords });
  if (body !== undefined) addAll(body, words);
  return flags;
}

const readers: Readonly<Record<string, Read>> = {
  string: (text) => text,
  enum: (text) => text,
  number: wholeNumber,
  boolean: yesOrNo,
  array: list,
  union: (text) => (/^\d+$/.test(text) ? Number(text) : text),
};
const valueNames: Readonly<Record<string, string>> = { number: 'number', boolean: 'yes|no', array: 'list' };

function flagOf(key: string, path: readonly string[], field: Field, choice: FlagChoice, own: Words): OperationFlag {
  const { def, isNullable, isRequired, noted } = field;
  const isList = def.type === 'array';
  const isBare = own.bare !== undefined || noted.type === 'boolean';
  const none = (isNullable && own.none) || null;
  const options = optionsOf(isList ? fieldOf(def.element).def : def);
  const name = `--${key.replace(/^is_|_id$/g, '').replaceAll(/[_.]/g, '-')}`;
  const value = key.endsWith('_id') ? 'id' : (valueNames[def.type] ?? name.split('-').at(-1));
  const flag = own.flag ?? (isBare ? name : `${name} <${value}>`);
  const meaning = choice.meanings?.[key] ?? own.meaning ?? (noted.description && asHelp(noted.description));
  const option = new Option(flag, isBare ? meaning : described(meaning, options, isList, none));
  const given = choice.defaults?.[key];
  option.makeOptionMandatory(isRequired && given === undefined);
  if (isList) option.argParser(collect);
  const read = own.read ?? (noted.format === 'date-time' ? timeOf : (readers[def.type] as Read));
  const readOne = (text: string, opened: Opened) =>
    text === none ? null : read(text, flag.split(' ')[0] ?? '', opened);
  return {
    option,
    path,
    valueOf(flags, opened) {
      const value = flags[option.attributeName()] ?? given;
      if (Array.isArray(value)) return value.flatMap((text: string) => readOne(text, opened));
      if (typeof value === 'string') return readOne(value, opened);
      return value === true ? (own.bare ?? value) : value;
    },
  };
}

const timeOf: Read = (text, flag) => new Date(momentOf(text, flag, 1)).toISOString();

/** A sentence of the API's description, written as help writes its options. */
const asHelp = (sentence: string) =>
  sentence.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (letter) => letter.toLowerCase()).replace(/\.$/, '');

function described(meaning: string | undefined, options: readonly string[], isList: boolean, none: string | null) {
  const words = isList ? options : [...options, ...(none === null ? [] : [none])];
  const said = meaning === undefined ? [] : [meaning];
  if (isList)
    return [...said, ['comma-separated', ...(words.length > 0 ? [words.join(', ')] : [])].join(': ')].join(', ');
  if (words.length === 1 && meaning !== undefined) return `${meaning}, or ${words[0]}`;
  return [...said, ...(words.length > 0 ? [orList(words)] : [])].join(': ');
}

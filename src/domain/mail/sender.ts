// What DNS says of an address that a site writes from (docs/spec/senders.md).

import { isLoopbackHost, type KnownProvider, providerAt, providerDomains } from './mailbox.ts';

export const recordStatuses = ['ok', 'missing', 'wrong', 'unknown'] as const;
type RecordStatus = (typeof recordStatuses)[number];

/** Why a record has its status, for programs and translations, and in words. `about` is a server, a name in DNS or a policy. */
const explanations = {
  dns_silent: () => 'DNS did not answer. Check again later.',
  several_records: () => 'There are several records of this kind, so none counts. Make one of them.',
  spf_missing: () =>
    'No SPF record says which servers send mail of this domain. A provider of mail tells you what to name instead.',
  spf_names_none: () => 'The SPF record names no server that sends mail of this domain.',
  spf_broken: () =>
    'Receivers ignore the SPF record: it has a mistake, or asks for more than ten other records. Shorten it.',
  spf_covers: (about) => `The SPF record allows ${about}, and the envelope has the same domain: mail is aligned.`,
  spf_unjudged: () =>
    'There is an SPF record. Make sure that it names your mail server, whose public address the desk does not know.',
  spf_lacks_provider: (about) => `The SPF record does not allow ${about}, where the mail leaves: mail is not aligned.`,
  spf_lacks_server: (about) =>
    `The SPF record does not allow ${about}. If that server hands mail to others, those count; otherwise mail is not aligned.`,
  dkim_key: (about) => `There is a key at ${about}. Mail that is signed with it is aligned.`,
  dkim_of_provider: () => 'The provider signs the mail of its own domain: mail is aligned.',
  dkim_revoked: (about) => `The key at ${about} is revoked: it is empty.`,
  dkim_missing: () => 'No key is there. Your mail server, which signs the mail, shows the record to add.',
  dkim_off_at_provider: (about) =>
    `${about} does not sign with this domain yet: mail is not aligned. Switch DKIM on there; it shows the record to add.`,
  dkim_not_found: () => 'No key has one of the usual names. Set dkim_selectors to what your mail server signs with.',
  dmarc_missing: () =>
    'No DMARC record says what receivers do with mail that is not aligned. Large providers ask for one.',
  dmarc_passes: (about) => `The policy is ${about}, and mail passes it.`,
  dmarc_unsure: (about) => `The policy is ${about}. Whether mail passes it depends on SPF and DKIM, which are unknown.`,
  dmarc_fails: (about) =>
    about === 'none'
      ? 'The policy is none, so mail still arrives. But neither SPF nor DKIM can pass, and many receivers take it for spam.'
      : `The policy is ${about}, and neither SPF nor DKIM can pass: mail from this address will be refused or land in spam.`,
} satisfies Record<string, (about: string) => string>;
export type RecordReason = keyof typeof explanations;
export const recordReasons = Object.keys(explanations) as RecordReason[];

/** One of the three records, as stored and shown. */
interface RecordCheck {
  status: RecordStatus;
  reason: RecordReason;
  about: string | null;
  /** The record as it stands in DNS. */
  found: string | null;
  /** In words. */
  explanation: string;
  /** What to add, or to put in place of what was found. `value` is null where only the mail server knows it. */
  add: { type: 'TXT' | 'CNAME'; name: string; value: string | null } | null;
}

const check = (
  status: RecordStatus,
  reason: RecordReason,
  { about = null, found = null, add = null }: Partial<Pick<RecordCheck, 'about' | 'found' | 'add'>> = {},
): RecordCheck => ({ status, reason, about, found, explanation: explanations[reason](about ?? ''), add });

export interface SenderChecks {
  /** That was checked: of another address they say nothing. */
  address: string;
  checked_at: string;
  spf: RecordCheck;
  dkim: RecordCheck;
  dmarc: RecordCheck;
}

export type RecordChecks = Omit<SenderChecks, 'address' | 'checked_at'>;

/** The TXT records of a name; null when DNS did not answer. */
export type TxtRecords = readonly string[] | null;

/** Tried where a sender names none: those of mail servers and large providers. */
const usualSelectors = [
  ...['default', 'mail', 'dkim', 'smtp', 's1', 's2', 'k1', 'k2', 'k3'],
  ...['selector1', 'selector2', 'google', 'pm', 'mx', 'mta', 'fm1', 'fm2', 'fm3', 'zoho', 'protonmail'],
];

export const mostSelectors = 10;
const ownDomains: ReadonlySet<string> = new Set(Object.keys(providerDomains));
const mostDmarcNames = 6;

interface Questions {
  spf: string;
  dkim: { selector: string; name: string }[];
  /** The address's own domain first, then those above it (RFC 9989, 4.10). */
  dmarc: string[];
}

export function questionsOf(domain: string, selectors: readonly string[]): Questions {
  const labels = domain.split('.');
  const above = labels.map((_, at) => labels.slice(at).join('.')).filter((name, at) => at === 0 || name.includes('.'));
  const nearest = above.length <= mostDmarcNames ? above : [domain, ...above.slice(1 - mostDmarcNames)];
  return {
    spf: domain,
    dkim: (selectors.length > 0 ? selectors : usualSelectors).map((selector) => ({
      selector,
      name: `${selector}._domainkey.${domain}`,
    })),
    dmarc: nearest.map((name) => `_dmarc.${name}`),
  };
}

type Answers = ReadonlyMap<string, TxtRecords>;

/** Whether the SPF record allows the server by which the mail leaves. `unjudged`: no one knows its address. */
export type Coverage = 'covers' | 'lacks' | 'broken' | 'silent' | 'unjudged';

/** By what the mail of a sender leaves. */
interface Way {
  /** The host that takes the mail. Null: there is none. */
  server: string | null;
  coverage: Coverage;
}

export function judgeRecords(domain: string, selectors: readonly string[], answers: Answers, way: Way): RecordChecks {
  const questions = questionsOf(domain, selectors);
  const provider = providerAt(way.server);
  const isProviders = provider?.domains.includes(domain) ?? false;
  const spf = judgeSpf(domain, answers.get(questions.spf) ?? null, way);
  const dkim = isProviders
    ? check('ok', 'dkim_of_provider')
    : judgeDkim(questions.dkim, answers, selectors.length > 0, provider);
  return { spf, dkim, dmarc: judgeDmarc(questions.dmarc, answers, [spf, dkim]) };
}

const silent = check('unknown', 'dns_silent');

export const spfIn = (records: readonly string[]) => records.filter((record) => /^v=spf1(?:\s|$)/i.test(record));

function termOf(server: string, provider: KnownProvider | null): string {
  if (provider !== null) return `include:${provider.spf}`;
  if (/^[\d.]+$/.test(server)) return `ip4:${server}`;
  return server.includes(':') ? `ip6:${server.replace(/[[\]]/g, '')}` : `a:${server}`;
}

function judgeSpf(domain: string, records: TxtRecords, { server: host, coverage }: Way): RecordCheck {
  if (records === null) return silent;
  // A name that only the desk's own network knows is of no use to receivers.
  const server = host === null || isLoopbackHost(host) || !/[.:]/.test(host) ? null : host;
  const provider = providerAt(server);
  const record = (value: string): RecordCheck['add'] =>
    ownDomains.has(domain) ? null : { type: 'TXT', name: domain, value };
  const [found, ...others] = spfIn(records);
  if (found === undefined) {
    const terms = [...(provider === null ? ['mx'] : []), ...(server === null ? [] : [termOf(server, provider)])];
    return check('missing', 'spf_missing', { add: record(`v=spf1 ${terms.join(' ')} ~all`) });
  }
  if (others.length > 0) return check('wrong', 'several_records', { found: [found, ...others].join('\n') });
  const named = found.split(/\s+/).slice(1);
  const withServer = server === null ? null : record(['v=spf1', termOf(server, provider), ...named].join(' '));
  if (!named.some((term) => !/^[-~?]/.test(term) && !/^\+?all$/i.test(term) && !/^exp=/i.test(term)))
    return check('wrong', 'spf_names_none', { found, add: withServer });
  if (server === null || coverage === 'unjudged') return check('ok', 'spf_unjudged', { found });
  if (coverage === 'silent') return { ...silent, found };
  if (coverage === 'broken') return check('wrong', 'spf_broken', { found });
  const about = provider?.name ?? server;
  if (coverage === 'covers') return check('ok', 'spf_covers', { about, found });
  return provider === null
    ? check('unknown', 'spf_lacks_server', { about, found, add: withServer })
    : check('wrong', 'spf_lacks_provider', { about, found, add: withServer });
}

function judgeDkim(
  asked: Questions['dkim'],
  answers: Answers,
  isNamed: boolean,
  provider: KnownProvider | null,
): RecordCheck {
  const keys = asked.flatMap(({ name }) =>
    (answers.get(name) ?? [])
      .filter((record) => /(?:^|;)\s*p\s*=/i.test(record))
      .map((record) => ({ name, record, hasKey: /(?:^|;)\s*p\s*=\s*[A-Za-z0-9+/]/i.test(record) })),
  );
  const good = keys.find(({ hasKey }) => hasKey);
  if (good) return check('ok', 'dkim_key', { about: good.name, found: good.record });
  const [revoked] = keys;
  if (revoked)
    return check('wrong', 'dkim_revoked', {
      about: revoked.name,
      found: revoked.record,
      add: { type: 'TXT', name: revoked.name, value: null },
    });
  if (asked.some(({ name }) => answers.get(name) == null)) return silent;
  if (isNamed)
    return check('missing', 'dkim_missing', { add: { type: 'TXT', name: asked[0]?.name ?? '', value: null } });
  const own = asked.find(({ selector }) => selector === provider?.dkim.selector);
  if (provider === null || own === undefined) return check('unknown', 'dkim_not_found');
  return check('missing', 'dkim_off_at_provider', {
    about: provider.name,
    add: { type: provider.dkim.type, name: own.name, value: null },
  });
}

function judgeDmarc(names: readonly string[], answers: Answers, others: readonly RecordCheck[]): RecordCheck {
  const [own = ''] = names;
  for (const [at, name] of names.entries()) {
    const records = answers.get(name);
    if (records == null) return silent;
    const [record, ...more] = records.filter((each) => /^v=DMARC1\s*(?:;|$)/i.test(each));
    if (record === undefined) continue;
    if (more.length > 0) return check('wrong', 'several_records', { found: [record, ...more].join('\n') });
    const tag = (wanted: string) =>
      new RegExp(`;\\s*${wanted}\\s*=\\s*([a-z]+)`, 'i').exec(record)?.[1]?.toLowerCase() ?? null;
    const told = { about: (at > 0 ? tag('sp') : null) ?? tag('p') ?? 'none', found: record };
    if (others.some(({ status }) => status === 'ok')) return check('ok', 'dmarc_passes', told);
    if (others.some(({ status }) => status === 'unknown')) return check('unknown', 'dmarc_unsure', told);
    return check('wrong', 'dmarc_fails', told);
  }
  return check('missing', 'dmarc_missing', { add: { type: 'TXT', name: own, value: 'v=DMARC1; p=none' } });
}

// Checks SPF, DKIM, DMARC and ARC of a message with the answers of DNS that are known, and names those that are missing.

import { Readable } from 'node:stream';
import type { AuthenticateResult } from 'mailauth';
import { getClientAddress, parseReceived } from 'mailauth/lib/parse-received.js';
import { normaliseEmail } from '../../domain/mail/address.ts';
import {
  type CheckVerdict,
  type DnsAnswer,
  type DnsQuestion,
  resolved,
  type SenderChecks,
} from '../../domain/mail/sender-checks.ts';
import { domainOf } from './addresses.ts';
import { belongTogether, type Check, proofOf } from './authentication.ts';

interface MessageToCheck {
  /** The headers with the empty line after them, a byte to a character. */
  head: string;
  body: () => AsyncIterable<Uint8Array>;
  /** Empty for the empty return path, null when unknown. */
  envelopeFrom: string | null;
  trustedServers: readonly string[];
  trustedSealers: readonly string[];
  answers: Readonly<Record<DnsQuestion, DnsAnswer>>;
}

/** Each costs a pass over the whole message. */
const mostSignatures = 8;

/** Names what DNS must still say, or says what the checks found if nothing is missing or `isFinal`. */
export async function checkSender(
  message: MessageToCheck,
  isFinal: boolean,
): Promise<{ kind: 'wanted'; questions: DnsQuestion[] } | { kind: 'checked'; checks: SenderChecks }> {
  const read = readHead(message);
  const known = new Map(Object.entries(message.answers));
  const wanted = new Set<DnsQuestion>(read.expected.filter((question) => !known.has(question)));
  const resolver = answering(known, wanted);
  // Without the body first: each round would hash the whole message again.
  if (!isFinal) await authenticate(Buffer.from(read.head, 'latin1'), read, resolver);
  if (isFinal || wanted.size === 0) {
    wanted.clear();
    const found = await authenticate(Readable.from(bytesOf(read.head, message.body())), read, resolver);
    if (isFinal || wanted.size === 0) return { kind: 'checked', checks: judge(found, read, message.trustedSealers) };
  }
  return { kind: 'wanted', questions: [...wanted] };
}

type Head = ReturnType<typeof readHead>;

interface Field {
  raw: string;
  name: string;
  text: string;
  signer: { domain: string; selector: string };
}

function fieldOf(raw: string): Field {
  const colon = raw.indexOf(':');
  const text = raw.slice(colon + 1).replace(/\r?\n/g, '');
  const tag = (name: string) =>
    new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*([^;\\s]+)`, 'i').exec(text)?.[1]?.toLowerCase() ?? '';
  const name = raw.slice(0, colon).trim().toLowerCase();
  return { raw, name, text, signer: { domain: tag('d'), selector: tag('s') } };
}

function readHead({ head, envelopeFrom, trustedServers }: MessageToCheck) {
  const fields = head.split(/(?<=\n)(?![ \t])/).map(fieldOf);
  const named = (...names: string[]) => fields.filter((field) => names.includes(field.name));
  const from = domainOf(/@([^\s<>"',;()@]+)[^@]*$/.exec(named('from').at(-1)?.text ?? '')?.[1] ?? '').toLowerCase();
  const rank = ({ signer }: Field) => (belongTogether(signer.domain, from) ? 0 : 1);
  const signatures = named('dkim-signature').toSorted((one, other) => rank(one) - rank(other));
  const left = new Set(signatures.splice(mostSignatures));
  const signers = [...signatures, ...named('arc-seal', 'arc-message-signature')].map(({ signer }) => signer);
  const keys = signers.flatMap(({ domain, selector }) =>
    domain === '' || selector === '' ? [] : [`${selector}._domainkey.${domain}`],
  );
  const policies = [from, ...signers.flatMap(({ domain }) => (belongTogether(domain, from) ? [domain] : []))];
  return {
    head: fields.flatMap((field) => (left.has(field) ? [] : [field.raw])).join(''),
    border: borderOf(
      named('received').map(({ text }) => text),
      trustedServers,
    ),
    envelopeFrom,
    // The policies first: what a stranger adds must not use up the questions that accuse them.
    expected: [...new Set([...policies.flatMap(policyNames), ...keys])].map((name): DnsQuestion => `TXT ${name}`),
  };
}

/** The walk of RFC 9989: of the domain and of what is above it. */
function policyNames(domain: string): string[] {
  const labels = domain.split('.').slice(-7);
  return domain.includes('.') ? labels.map((_, at) => `_dmarc.${labels.slice(at).join('.')}`) : [];
}

type Resolver = (name: string, kind: string) => Promise<string[] | string[][]>;

function answering(known: ReadonlyMap<string, DnsAnswer>, wanted: Set<DnsQuestion>): Resolver {
  return async (name, kind) => {
    const question = `${kind} ${name.toLowerCase()}` as DnsQuestion;
    const answer = known.get(question);
    if (answer === undefined) wanted.add(question);
    return resolved(kind, answer);
  };
}

async function authenticate(input: Buffer | Readable, { border, envelopeFrom }: Head, resolver: Resolver) {
  const mailauth = await import('mailauth');
  return await mailauth.authenticate(input, {
    // SPF needs both. Without them it is unknown.
    ...(border.client === null || envelopeFrom === null ? {} : { ip: border.client }),
    ...(envelopeFrom === null ? {} : { sender: envelopeFrom }),
    ...(border.helo === null ? {} : { helo: border.helo }),
    mta: 'helpdesk',
    resolver,
    rejectRsaSha1: true,
    disableBimi: true,
  });
}

/** Signatures are made over lines that end in CR LF; a mailbox or a pipe often has only LF. */
async function* bytesOf(head: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let last = '';
  const withBreaks = (text: string) => {
    const whole = last === '\r' && text.startsWith('\n') ? `\r${text}` : text;
    const fixed = whole.replace(/(?<!\r)\n/g, '\r\n');
    last = text.at(-1) ?? last;
    return Buffer.from(whole === text ? fixed : fixed.slice(1), 'latin1');
  };
  yield withBreaks(head);
  for await (const chunk of body) yield withBreaks(Buffer.from(chunk).toString('latin1'));
}

function judge(
  found: AuthenticateResult,
  { border, envelopeFrom }: Head,
  trustedSealers: readonly string[],
): SenderChecks {
  const { dkim, spf, dmarc, arc } = found;
  const [author = ''] = dkim.headerFrom;
  const from = author === '' ? null : domainOf(normaliseEmail(author));
  const policy = dmarc === false ? null : (dmarc.policy ?? null);
  const signed = dkim.results.filter(({ signingDomain }) => typeof signingDomain === 'string' && signingDomain !== '');
  // Without an envelope, mailauth names a domain of its own making.
  const spfDomain = spf === false || envelopeFrom === null ? null : short(spf.domain);
  const spfResult = spf === false ? 'none' : spf.status.result;
  const dmarcResult = dmarc === false ? 'none' : dmarc.status.result;
  const isAligned = (domain: string | null | undefined) =>
    domain != null && from !== null && belongTogether(domain, from);
  const checks: Check[] = [
    { method: 'dmarc', result: dmarcResult, domain: from, policy },
    { method: 'spf', result: spfResult, domain: spfDomain, policy: null },
    ...signed.map(({ status }) => ({
      method: 'dkim' as const,
      result: status.result,
      domain: status.aligned ? from : null,
      policy: null,
    })),
  ];
  const hasSeveralFrom = dkim.headerFrom.length > 1 || dkim.fromFields > 1;
  const { verdict: plain } = proofOf({ from: { name: '', address: author }, hasSeveralFrom }, checks);
  // A stranger's own silent server must not excuse mail in the name of another.
  const isOpen =
    dmarcResult === 'temperror' ||
    (spfResult === 'temperror' && (envelopeFrom === null || isAligned(spfDomain))) ||
    signed.some(({ status, signingDomain }) => status.result === 'temperror' && isAligned(signingDomain));
  const sealed = sealOf(arc, from, trustedSealers);
  return {
    verdict: verdictWith(plain, isOpen, sealed.vouches),
    from,
    client: border.client,
    spf: { result: spfResult, domain: spfDomain },
    dkim: signed.map(({ status, signingDomain, selector }) => ({
      result: status.comment === 'expired' ? 'expired' : status.result,
      domain: short(signingDomain) ?? '',
      selector: short(selector) ?? '',
    })),
    dmarc: { result: dmarcResult, domain: from, policy },
    arc: sealed.arc,
  };
}

function verdictWith(plain: 'pass' | 'fail' | 'none', isOpen: boolean, isVouched: boolean): CheckVerdict {
  if (plain === 'pass') return 'pass';
  if (isVouched) return 'none';
  return isOpen ? 'unknown' : plain;
}

/** A list that changes a message breaks its signature. If the site trusts who sealed it, what they found counts as an excuse. */
function sealOf(arc: AuthenticateResult['arc'], from: string | null, trustedSealers: readonly string[]) {
  if (arc === false || arc === undefined)
    return { vouches: false, arc: { result: 'none', sealer: null, isTrusted: false } };
  const sealer = arc.signature ? (short(arc.signature.signingDomain)?.toLowerCase() ?? null) : null;
  const isTrusted = sealer !== null && trustedSealers.some((each) => each === sealer);
  const told: { result?: unknown; header?: { from?: unknown } } = arc.authenticationResults?.dmarc ?? {};
  const about = typeof told.header?.from === 'string' ? domainOf(normaliseEmail(`x@${told.header.from}`)) : null;
  const vouches = arc.status.result === 'pass' && isTrusted && told.result === 'pass' && about === from;
  return { vouches, arc: { result: arc.status.result, sealer, isTrusted } };
}

const short = (text: unknown) => (typeof text === 'string' && text !== '' ? text.slice(0, 253) : null);

interface Border {
  /** The address that handed the message over; null when no trusted header names one. */
  client: string | null;
  helo: string | null;
}

interface Hop extends Border {
  by: string;
}

const mostHops = 50;

/**
 * Only what stands above the border was written by servers of the site: a stranger can write all that is below.
 * @param received the Received headers, newest first
 */
function borderOf(received: readonly string[], trustedServers: readonly string[]): Border {
  const hops = received.slice(0, mostHops).flatMap(hopOf);
  const trusted = trustedServers.map((server) => server.toLowerCase());
  const first = hops.findIndex(({ by }) => trusted.some((server) => by === server || by.endsWith(`.${server}`)));
  // A server hands mail over to itself too, as to a filter or a mailbox: those hops name no one else.
  const border = hops.slice(Math.max(0, first)).find(({ client }) => client !== null && !isLoopback(client));
  return border === undefined ? { client: null, helo: null } : { client: border.client, helo: border.helo };
}

function hopOf(header: string): Hop[] {
  const read = parseReceived(`Received: ${header}`);
  if (read === false) return [];
  const client = getClientAddress(read.from) || null;
  const helo = /^[\w.-]{1,253}$/.exec(read.from?.value?.split(/\s/, 1)[0] ?? '')?.[0] ?? null;
  return [{ client, helo, by: (read.by?.value ?? '').split(/\s/, 1)[0]!.toLowerCase() }];
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\./i.test(address) || address === '::1';
}

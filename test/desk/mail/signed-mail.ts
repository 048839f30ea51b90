// Mail that is signed and sealed as servers do it, and the DNS that its receivers ask, all in this process.

import { generateKeyPairSync } from 'node:crypto';
import { authenticate, dkimSign, sealMessage } from 'mailauth';
import type { AskDns, DnsAnswer } from '../../../src/domain/mail/sender-checks.ts';
import { mail } from './mail-desk.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
export const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

interface FakeDns {
  ask: AskDns;
  asked: string[];
  /** By kind and name, such as `TXT shop.example`. What is not here does not exist. */
  records: Map<string, DnsAnswer>;
}

export function fakeDns(records: Record<string, DnsAnswer>): FakeDns {
  const dns: FakeDns = {
    asked: [],
    records: new Map(Object.entries(records)),
    ask(question) {
      dns.asked.push(question);
      return Promise.resolve(dns.records.get(question) ?? 'none');
    },
  };
  return dns;
}

export const hop = (client: string, by = 'mx.desk.example') =>
  `Received: from helo.example (rdns.example [${client}]) by ${by} with ESMTP id 1; Fri, 11 Sep 2026 09:30:00 +0000`;

type Written = Parameters<typeof mail>[0] & { client?: string; received?: string[] };

/** A mail as it came in from a client. */
export const came = ({ client = '198.51.100.7', received = [hop(client)], ...written }: Written = {}) =>
  `${received.map((line) => `${line}\r\n`).join('')}${mail(written)}`;

export async function signed(raw: string, domain: string, { selector = 's1', times = 1, expires = 0 } = {}) {
  const signature = { signingDomain: domain, selector, privateKey: pem };
  const { signatures } = await dkimSign(raw, {
    ...signature,
    canonicalization: 'relaxed/relaxed',
    algorithm: 'rsa-sha256',
    signTime: new Date(Date.now() - 3_600_000),
    ...(expires === 0 ? {} : { expires: new Date(expires) }),
    signatureData: Array.from({ length: times }, () => signature),
  });
  return `${signatures}${raw}`;
}

/** As a mailing list does: it checks what came, changes it, and seals what it found. */
export async function relisted(raw: string, sealer: string, dns: FakeDns, change: (raw: string) => string) {
  const resolver = async (name: string, kind: string) => {
    const answer = dns.records.get(`${kind} ${name}`) ?? 'none';
    if (typeof answer === 'string') throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
    return answer.map((record) => [String(record)]);
  };
  const { arc, headers } = await authenticate(raw, {
    resolver,
    mta: sealer,
    ip: '198.51.100.7',
    sender: 'mia@customer.example',
    disableBimi: true,
  });
  const changed = change(raw);
  const seal = await sealMessage(changed, {
    signingDomain: sealer,
    selector: 's1',
    privateKey: pem,
    algorithm: 'rsa-sha256',
    authResults: arc === false ? headers : (arc.authResults ?? headers),
    cv: 'none',
  });
  return `${hop('203.0.113.9')}\r\n${seal}${changed}`;
}

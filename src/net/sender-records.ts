// Asks DNS for the records of an address that a site writes from, within a limit of time, number and size.

import { domainToASCII } from 'node:url';
import { providerAt } from '../domain/mail/mailbox.ts';
import {
  type Coverage,
  judgeRecords,
  questionsOf,
  type RecordChecks,
  spfIn,
  type TxtRecords,
} from '../domain/mail/sender.ts';
import { type AskDns, type DnsAnswer, type DnsQuestion, resolved } from '../domain/mail/sender-checks.ts';
import { createDns } from './dns-records.ts';
import { isPublicAddress, parseAddress } from './ip-address.ts';

const waitMs = 5000;
const mostQuestions = 100;
const mostAddresses = 4;

/** @param server the host that takes the mail of this address; null if there is none */
export async function checkRecords(
  address: string,
  selectors: readonly string[],
  server: string | null,
  askDns: AskDns = createDns(),
): Promise<RecordChecks> {
  const domain = domainToASCII(address.slice(address.lastIndexOf('@') + 1));
  const ask = patient(askDns);
  const { spf, dkim, dmarc } = questionsOf(domain, selectors);
  const texts = async (name: string): Promise<[string, TxtRecords]> => [name, textsOf(await ask(`TXT ${name}`))];
  const [answers, coverage] = await Promise.all([
    Promise.all([spf, ...dmarc, ...dkim.map(({ name }) => name)].map(texts)),
    coverageOf(domain, server, ask),
  ]);
  return judgeRecords(domain, selectors, new Map(answers), { server, coverage });
}

type Ask = (question: DnsQuestion) => Promise<DnsAnswer>;

/** Each question is asked once, all of them within one limit of time. */
function patient(askDns: AskDns): Ask {
  const until = performance.now() + waitMs;
  const asked = new Map<DnsQuestion, Promise<DnsAnswer>>();
  return (question) => {
    const leftMs = until - performance.now();
    const answer =
      asked.get(question) ??
      (asked.size >= mostQuestions || leftMs <= 0 ? Promise.resolve('silent' as const) : askDns(question, leftMs));
    asked.set(question, answer);
    return answer;
  };
}

function textsOf(answer: DnsAnswer): TxtRecords {
  if (answer === 'silent') return null;
  return answer === 'none' ? [] : answer.filter((record) => typeof record === 'string');
}

async function coverageOf(domain: string, server: string | null, ask: Ask): Promise<Coverage> {
  const records = textsOf(await ask(`TXT ${domain}`));
  if (server === null || records === null || spfIn(records).length !== 1) return 'unjudged';
  const provider = providerAt(server);
  if (provider !== null) {
    let isIncluded = false;
    // No one sends from an address of documentation, so everything that the record includes is read.
    const result = await evaluated(domain, '192.0.2.1', (question) => {
      isIncluded ||= question === `TXT ${provider.spf}`;
      return ask(question);
    });
    return isIncluded ? 'covers' : judged(result);
  }
  const addresses = await publicAddresses(server, ask);
  if (addresses.length === 0) return 'unjudged';
  const results = await Promise.all(addresses.map((ip) => evaluated(domain, ip, ask)));
  const uncovered = results.find((result) => result !== 'pass');
  return uncovered === undefined ? 'covers' : judged(uncovered);
}

const judged = (result: string): Coverage =>
  result === 'permerror' ? 'broken' : result === 'temperror' ? 'silent' : 'lacks';

async function publicAddresses(server: string, ask: Ask): Promise<string[]> {
  const answers = parseAddress(server) ? [[server]] : await Promise.all([ask(`A ${server}`), ask(`AAAA ${server}`)]);
  return answers
    .flatMap((answer) => (typeof answer === 'string' ? [] : [...answer]))
    .filter((record): record is string => {
      const address = typeof record === 'string' ? parseAddress(record) : null;
      return address !== null && isPublicAddress(address);
    })
    .slice(0, mostAddresses);
}

async function evaluated(domain: string, ip: string, ask: Ask): Promise<string> {
  const { spf } = await import('mailauth');
  const resolver = async (name: string, kind: string): Promise<string[] | string[][]> =>
    resolved(kind, await ask(`${kind} ${name.toLowerCase()}` as DnsQuestion));
  const { status } = await spf({ sender: `postmaster@${domain}`, ip, helo: domain, mta: 'helpdesk', resolver });
  return status.result;
}

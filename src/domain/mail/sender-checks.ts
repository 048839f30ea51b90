// What SPF, DKIM, DMARC and ARC say of a message, as the desk checked them itself, and the verdict that follows.

/** `unknown`: DNS did not answer, or the check cost too much. It proves nothing, and accuses no one. */
export const checkVerdicts = ['pass', 'fail', 'none', 'unknown'] as const;
export type CheckVerdict = (typeof checkVerdicts)[number];

export interface SenderChecks {
  verdict: CheckVerdict;
  /** The domain of the From header that the verdict is about. */
  from: string | null;
  /** Who handed the message over to the servers that are trusted; null when no header says. */
  client: string | null;
  spf: { result: string; domain: string | null };
  dkim: { result: string; domain: string; selector: string }[];
  dmarc: { result: string; domain: string | null; policy: string | null };
  /** Of the newest seal. It counts only if the site trusts who sealed. */
  arc: { result: string; sealer: string | null; isTrusted: boolean };
}

export const uncheckable: SenderChecks = {
  verdict: 'unknown',
  from: null,
  client: null,
  spf: { result: 'unknown', domain: null },
  dkim: [],
  dmarc: { result: 'unknown', domain: null, policy: null },
  arc: { result: 'unknown', sealer: null, isTrusted: false },
};

/** A question to DNS: its kind, a space and a name. */
export type DnsQuestion = `${DnsKind} ${string}`;
export type DnsKind = 'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR' | 'CNAME';

/** TXT records are whole; MX records are `{ exchange, priority }`, all others text. */
export type DnsRecord = string | { exchange: string; priority: number };
/** `none`: there is no such name. Empty: it has no such record. `silent`: no answer, or none that can be used. */
export type DnsAnswer = readonly DnsRecord[] | 'none' | 'silent';
export type AskDns = (question: DnsQuestion, withinMs: number) => Promise<DnsAnswer>;

/** As node:dns gives it: throws its codes. */
export function resolved(kind: string, answer: DnsAnswer | undefined): string[] | string[][] {
  if (answer === undefined || answer === 'silent') throw fault('ETIMEOUT');
  if (answer === 'none') throw fault('ENOTFOUND');
  if (answer.length === 0) throw fault('ENODATA');
  return (kind === 'TXT' ? answer.map((record) => [record]) : [...answer]) as string[] | string[][];
}

const fault = (code: string) => Object.assign(new Error(code), { code });

type Results = Pick<SenderChecks, 'spf' | 'dkim' | 'dmarc'> & { arc: Omit<SenderChecks['arc'], 'isTrusted'> };

/** In the words of the standards, as mail programs show them; without what is not there. */
export function checksInWords({ spf, dkim, dmarc, arc }: Results): string {
  const one = (name: string, result: string, of: string | null) =>
    result === 'none' ? [] : [`${name} ${result}${of === null || of === '' ? '' : ` (${of})`}`];
  return [
    ...one('SPF', spf.result, spf.domain),
    ...dkim.flatMap(({ result, domain }) => one('DKIM', result, domain)),
    ...one('DMARC', dmarc.result, dmarc.policy && `p=${dmarc.policy}`),
    ...one('ARC', arc.result, arc.sealer),
  ].join(', ');
}

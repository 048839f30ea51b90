// DNS lookups that do not use a thread for each name.

import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

type Address = { address: string; family: number };

async function inHostsFile(host: string): Promise<Address[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().toLowerCase().split(/\s+/);
    return names.includes(host) && isIP(address) !== 0 ? [{ address, family: isIP(address) }] : [];
  });
}

const codeOf = (reason: unknown) => (reason instanceof Error && 'code' in reason ? String(reason.code) : 'EUNKNOWN');
const quick = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

/** Resolvers that answer at once leave the last word to the system, which knows search domains and other sources of names. */
export async function lookupWithoutThread(host: string): Promise<Address[]> {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (isIP(name) !== 0) return [{ address: name, family: isIP(name) }];
  const listed = await inHostsFile(name);
  if (listed.length > 0) return listed;
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length > 0) return found;
  const codes = [four, six].flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
  if (codes.every((code) => quick.includes(code))) return await lookup(name, { all: true, verbatim: true });
  const code = codes.find((one) => !quick.includes(one)) ?? 'EUNKNOWN';
  throw Object.assign(new Error(`${name} could not be resolved`), { code: `DNS_${code}` });
}

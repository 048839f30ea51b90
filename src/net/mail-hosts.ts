// Mail servers that someone named: their addresses, which must be public or allowed, and their certificates.

import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import type { Instant } from '../base/clock.ts';
import { isLoopbackHost, type MailServer } from '../domain/mail/mailbox.ts';
import type { AllowList } from './allow-list.ts';
import { type Address, isInBlock, parseBlock } from './ip-address.ts';
import { permittedAddresses, Refused } from './permitted.ts';
import { type Resolve, resolveHost, resolvingFault } from './resolve.ts';

type MailHost = Pick<MailServer, 'host' | 'port' | 'tls'>;

interface Reached {
  address: string;
  /** The one certificate to trust, in PEM. */
  pinned: string | null;
}

interface ShownCertificate {
  names: string[];
  sha256: string;
  pem: string;
  from: number;
  until: number;
}

export interface MailHosts {
  /** Why the desk does not connect to it. Null also if its name has no address now, which can change. */
  refusal(server: MailHost): Promise<string | null>;
  /** @param isRelay it is the desk's own server, which an owner has set: a relay on this machine needs no setting */
  reach(
    server: MailHost & Pick<MailServer, 'certificate_sha256'>,
    protocol: 'imap' | 'smtp',
    isRelay?: boolean,
  ): Promise<Reached>;
  /** What a certificate that does not verify says of itself. */
  describeCertificate(server: MailHost, protocol: 'imap' | 'smtp'): Promise<string>;
  /** From and until when its certificate is good. Null if the server does not show one now. */
  certificateTerm(server: MailHost, protocol: 'imap' | 'smtp'): Promise<{ from: Instant; until: Instant } | null>;
}

const patienceMs = 10_000;

const loopback = ['127.0.0.0/8', '::1/128'].flatMap((text) => parseBlock(text) ?? []);
// Others of this machine are not for mail, and what they say must not be read through a test of mail.
const relayPorts = [25, 465, 587, 2525];

const withRelay = (allow: AllowList): AllowList => ({
  permits: (host: string, port: number, address: Address) =>
    allow.permits(host, port, address) ||
    (isLoopbackHost(host) && relayPorts.includes(port) && loopback.some((block) => isInBlock(block, address))),
});

export function createMailHosts(allow: AllowList, resolve: Resolve = resolveHost): MailHosts {
  async function addressOf({ host, port, tls }: MailHost, isRelay = false): Promise<string> {
    const name = host.replace(/\.$/, '');
    const permission = {
      allow: isRelay ? withRelay(allow) : allow,
      ...{ resolve, setting: 'HELPDESK_MAIL_ALLOW' },
    };
    const addresses = await permittedAddresses(name, port, permission).catch((error) => {
      if (error instanceof Refused) throw error;
      const fault = resolvingFault(error);
      throw new Error(
        fault === null ? `${host} cannot be found: ${(error as Error).message}` : `${host} cannot be found: ${fault}`,
      );
    });
    const address = addresses[0]?.address ?? name;
    if (tls === 'none' && !isLoopbackHost(address))
      throw new Refused(`${host} is not on this machine, so it needs TLS.`);
    return address;
  }

  const shown = async (server: MailHost, protocol: 'imap' | 'smtp') =>
    await readCertificate(await addressOf(server), server, protocol);

  return {
    async refusal(server) {
      try {
        await addressOf(server);
        return null;
      } catch (error) {
        return error instanceof Refused ? error.message : null;
      }
    },
    async reach(server, protocol, isRelay) {
      const address = await addressOf(server, isRelay);
      const pin = server.certificate_sha256;
      if (pin === null || server.tls === 'none') return { address, pinned: null };
      const { sha256, pem, names } = await readCertificate(address, server, protocol);
      if (sha256 !== pin)
        throw new Error(
          `The certificate of ${server.host} is not the one that was pinned: it is for ${namesIn(names)}, with the SHA-256 fingerprint ${sha256}.`,
        );
      return { address, pinned: pem };
    },
    async describeCertificate(server, protocol) {
      const found = await shown(server, protocol).catch(() => null);
      return found === null
        ? ''
        : `It is for ${namesIn(found.names)}. If it is the right one, trust it by its SHA-256 fingerprint: ${found.sha256}`;
    },
    async certificateTerm(server, protocol) {
      const found = await shown(server, protocol).catch(() => null);
      return found === null || Number.isNaN(found.from) || Number.isNaN(found.until)
        ? null
        : { from: found.from, until: found.until };
    },
  };
}

const namesIn = (names: readonly string[]) => (names.length === 0 ? 'no name' : names.slice(0, 10).join(', '));

/** Nothing secret is said on this connection. The next one must show the same certificate, or is refused. */
async function readCertificate(
  address: string,
  { host, port, tls }: MailHost,
  protocol: 'imap' | 'smtp',
): Promise<ShownCertificate> {
  const { promise, resolve, reject } = Promise.withResolvers<ShownCertificate>();
  const plain = connectPlain({ host: address, port });
  let secured: Socket | null = null;
  const timer = setTimeout(() => reject(new Error(`${host} does not answer.`)), patienceMs);
  plain.on('error', () => reject(new Error(`${host} cannot be reached.`)));
  plain.on('close', () => reject(new Error(`${host} ended the connection.`)));
  try {
    await Promise.race([tls === 'starttls' ? askForTls(plain, protocol) : null, promise]);
    // What it shows is compared with the fingerprint.
    const encrypted = connectTls({
      socket: plain,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: false,
    });
    secured = encrypted;
    encrypted.on('error', () => reject(new Error(`${host} does not speak TLS on this port.`)));
    encrypted.on('secureConnect', () => {
      const certificate = encrypted.getPeerCertificate(true);
      if (!certificate?.raw) reject(new Error(`${host} shows no certificate.`));
      else resolve(shownBy(certificate));
    });
    return await promise;
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
    secured?.destroy();
    plain.destroy();
  }
}

function shownBy(certificate: PeerCertificate): ShownCertificate {
  const { raw, fingerprint256, subjectaltname, subject, valid_from, valid_to } = certificate;
  const alternative = (subjectaltname ?? '')
    .split(/,\s*/)
    .flatMap((one) => /^(?:DNS|IP Address):(.+)$/.exec(one)?.[1] ?? []);
  const common = [subject?.CN ?? []].flat();
  const lines = raw.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    names: (alternative.length > 0 ? alternative : common).map((name) =>
      name.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 253),
    ),
    sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
    pem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    from: Date.parse(valid_from),
    until: Date.parse(valid_to),
  };
}

const mostGreetingBytes = 16 * 1024;

/** Says what comes before STARTTLS, and waits until the server is ready for it. */
async function askForTls(socket: Socket, protocol: 'imap' | 'smtp'): Promise<null> {
  const { promise, resolve, reject } = Promise.withResolvers<null>();
  const steps =
    protocol === 'imap'
      ? [{ until: /^\* (?:OK|PREAUTH)[^\n]*\n/m, say: 'a STARTTLS\r\n' }, { until: /^a OK[^\n]*\n/m }]
      : [
          { until: /^220 [^\n]*\n/m, say: 'EHLO helpdesk.invalid\r\n' },
          { until: /^250 [^\n]*\n/m, say: 'STARTTLS\r\n' },
          { until: /^220 [^\n]*\n/m },
        ];
  let heard = '';
  const listen = (chunk: Buffer) => {
    heard += chunk.toString('latin1');
    if (heard.length > mostGreetingBytes) reject(new Error('The server says too much.'));
    const [step] = steps;
    if (!step?.until.test(heard)) return;
    heard = '';
    steps.shift();
    if (step.say !== undefined) socket.write(step.say);
    else {
      socket.off('data', listen);
      resolve(null);
    }
  };
  socket.on('data', listen);
  return await promise;
}

// A key and a certificate that it signed itself.

import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folders.ts';

export function selfSigned(host: string): { key: string; certificate: string; sha256: string } {
  const folder = temporaryFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...subject], { stdio: 'ignore' });
  const text = readFileSync(certificate, 'utf8');
  const sha256 = new X509Certificate(text).fingerprint256.replaceAll(':', '').toLowerCase();
  return { key: readFileSync(key, 'utf8'), certificate: text, sha256 };
}

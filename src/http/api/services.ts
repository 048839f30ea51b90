// Whether the virus scanner and the store of files work: tried with a test virus and a small file, for owners.

import { monotonicMs } from '../../base/clock.ts';
import { newUlid } from '../../base/ids.ts';
import { DeskError } from '../../domain/errors.ts';
import type { Scanner } from '../../files/clamav.ts';
import { readDeskSettings } from '../../store/desk-settings.ts';
import type { Edge } from '../operation.ts';
import type { ServiceTrial } from '../wire/system.ts';

/** The test virus that every scanner knows, in parts, so that none finds it here. */
const testVirus = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('');

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function tried(act: () => Promise<string | null>): Promise<ServiceTrial> {
  const startedAt = monotonicMs();
  const message = await act();
  return {
    is_set: true,
    is_up: message === null,
    milliseconds: Math.round(monotonicMs() - startedAt),
    message,
  };
}

export async function tryScanner(scanner: Scanner | null): Promise<ServiceTrial> {
  if (scanner === null) return { is_set: false, is_up: false, milliseconds: 0, message: null };
  return await tried(async () => {
    const verdict = await scanner.scan(bytesOf(testVirus));
    if (verdict.kind === 'infected') return null;
    return verdict.kind === 'clean' ? 'it found nothing in the test virus' : verdict.why;
  });
}

/** Stores a file, reads it and removes it. If the desk stops meanwhile, the sweep removes it. */
export async function tryFiles({ blobs, bucket, desk, settings, reportFault }: Edge): Promise<ServiceTrial> {
  const { bucket: own, bucketSecretSealed: sealed } = desk.read(readDeskSettings);
  const isNamed = settings().some(({ name, value }) => name === 'HELPDESK_S3_BUCKET' && value !== '');
  const text = 'A test of the store of files.';
  const trial = await tried(async () => {
    const ulid = newUlid(desk.now());
    try {
      const staged = await blobs.stage(bytesOf(text), text.length);
      await staged.keep(ulid);
      const found = await new Response(blobs.read(ulid, 0, text.length - 1)).text();
      if (found !== text) return 'it gave back something else than it got';
      // New files go to the disk, and those of the bucket are still read.
      const isAside = !isNamed && own?.stores_files === false && sealed !== null;
      return isAside ? ((await bucket.try(own, desk.seal.open(sealed)))?.message ?? null) : null;
    } catch (error) {
      if (!(error instanceof DeskError)) reportFault(error, 'the test of the store of files failed');
      return error instanceof Error ? error.message : String(error);
    } finally {
      await blobs.remove(ulid).catch((error) => reportFault(error, 'the test file could not be removed'));
    }
  });
  return { ...trial, is_set: isNamed || own !== null };
}

// What the desk understands of a virus scanner's answers, and of what is no answer.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createScanner, inOnePiece } from '../../src/files/clamav.ts';
import { type FakeClamd, fakeClamd, type Manner, virus } from '../support/fake-clamd.ts';

let fake: FakeClamd;
beforeAll(async () => {
  fake = await fakeClamd();
});
afterAll(() => fake.die());

/** Only a scanner that never answers is waited for as long as this; of any other nothing depends on it. */
const silentMs = 300;
const patientMs = 30_000;
const scan = (text: string | Uint8Array, manner: Manner) => {
  fake.manner = manner;
  return createScanner(fake.address, manner === 'silent' ? silentMs : patientMs).scan(inOnePiece(Buffer.from(text)));
};

describe('a scanner that works', () => {
  test('takes files of any length, and says which are infected', async () => {
    expect(await scan('a good file', 'well')).toEqual({ kind: 'clean' });
    expect(await scan(virus, 'well')).toEqual({ kind: 'infected', found: 'Test.Virus' });
    expect(await scan(Buffer.alloc(20 * 1024 * 1024, 7), 'well')).toEqual({ kind: 'clean' });
    expect(await scan(Buffer.concat([Buffer.alloc(5_000_000), Buffer.from(virus)]), 'well')).toMatchObject({
      kind: 'infected',
    });
  });

  test('is heard about a file that it does not want', async () => {
    const why = 'it answered "INSTREAM size limit exceeded. ERROR"';
    expect(await scan(Buffer.alloc(20 * 1024 * 1024), 'refuses')).toEqual({ kind: 'unclear', why });
  });

  test('can name what it found as it likes', async () => {
    expect(await scan('x', 'hostile')).toEqual({ kind: 'infected', found: '[31mEvil .<b>"' });
  });
});

describe('nothing but a whole answer to the whole file is a verdict:', () => {
  for (const manner of ['silent', 'nonsense', 'endless', 'cut', 'closes'] as const) {
    test(manner, async () => {
      expect(await scan(virus, manner)).toMatchObject({ kind: 'unclear' });
      fake.isUp = false;
      expect(await scan(virus, manner)).toMatchObject({ kind: 'down', hadFile: true });
      fake.isUp = true;
    });
  }

  test('OK before the file was sent', async () => {
    fake.manner = 'hasty';
    const scanner = createScanner(fake.address, patientMs);
    async function* slowly() {
      for (let at = 0; at < 20; at += 1) {
        yield Buffer.alloc(1024 * 1024);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    expect((await scanner.scan(slowly())).kind).not.toBe('clean');
  });
});

test('a scanner that is not there is down, at a path and at a port', async () => {
  for (const address of [`${fake.address}.gone`, '127.0.0.1:1', '[::1]:1']) {
    const scanner = createScanner(address, silentMs);
    expect(await scanner.scan(inOnePiece(Buffer.from('x')))).toMatchObject({ kind: 'down', hadFile: false });
    expect([await scanner.isUp(), scanner.wasUp()]).toEqual([false, false]);
  }
});

test('a scan ends at once when the desk stops', async () => {
  fake.manner = 'silent';
  const stop = new AbortController();
  const scanning = createScanner(fake.address, 60_000).scan(inOnePiece(Buffer.from('x')), stop.signal);
  stop.abort();
  expect((await scanning).kind).toBe('down');
});

test('a file that cannot be read is no verdict', async () => {
  fake.manner = 'well';
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a beginning');
    throw new Error('the disk fails');
  }
  const scanning = createScanner(fake.address, silentMs).scan(broken());
  await expect(scanning).rejects.toThrow('the disk fails');
});

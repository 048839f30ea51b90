// The signature of a site, as its agents get it.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { previewSignature } from '../../../src/desk/sites/signature.ts';
import { changeSite } from '../../../src/desk/sites/sites.ts';
import { settingsInput } from '../../../src/domain/input/sites.ts';
import { siteById } from '../../../src/store/sites/sites.ts';
import { type MailDesk, mailDesk } from '../mail/mail-desk.ts';

let bench: MailDesk;
beforeEach(async () => {
  bench = await mailDesk();
});
afterEach(() => bench.close());

const set = (signature: string | null) =>
  bench.do((tx, ctx) => changeSite(tx, ctx, bench.site.slug, { settings: settingsInput.parse({ signature }) }, null));
const shown = (signature?: string | null, for_new_ticket = false) =>
  bench.desk.read((tx) =>
    previewSignature(tx, bench.desk.context({ kind: 'command_line' }, 'test'), bench.site.slug, {
      for_new_ticket,
      ...(signature === undefined ? {} : { signature }),
    }),
  );

test('is kept, shown as it is or as it would be, and refused with a variable that no one knows', async () => {
  await bench.do((tx, ctx) => addAgent(tx, ctx, { email: 'eve@desk.example', name: 'Eve' }));
  expect(shown()).toBe('');
  await set('Regards, {{site.name}}');
  expect(shown()).toBe('Regards, Web shop');
  expect(shown('{{ticket.reference}}')).toBe('#41');
  expect(shown('{{site.name}} {{ticket.reference}}', true)).toBe('Web shop');
  expect(shown(null)).toBe('');
  await expect(set('{{agent.phone}}')).rejects.toThrow('{{agent.phone}}');
  expect(() => shown('{{x}}')).toThrow('{{x}}');
  await set('   ');
  expect(bench.desk.read((tx) => siteById(tx, bench.site.id)?.settings.signature)).toBeNull();
});

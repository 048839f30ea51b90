// The page of a site with a brand that is not saved: only for its agents, inside the desk, and without a script.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { addAgent } from '../../../src/desk/people/agents.ts';
import { changeSite, createSite } from '../../../src/desk/sites/sites.ts';
import { type TestApp, testApp } from '../../support/app.ts';

let app: TestApp;
let cookie: string;
beforeAll(async () => {
  app = await testApp();
  cookie = (await app.signIn(app.agentId)).headers.Cookie ?? '';
});
afterAll(() => app.close());

const previewOf = (query: string, headers: Record<string, string> = { Cookie: cookie }) =>
  app.ask('GET', `/s/${app.site.slug}/preview?${query}`, { headers });

test('shows the draft in its theme, as a page that does nothing', async () => {
  const { status, headers, text } = await previewOf('name=Bells+%3Cb%3E&color=%231d4ed8&theme=dark');
  expect(status).toBe(200);
  expect(text).toContain('Bells &lt;b>');
  expect(text).toContain('brand-1d4ed8.css');
  expect(text).toContain('data-theme="dark"');
  expect(text).not.toContain('<script');
  expect(text).not.toContain('modulepreload');
  // As with its script: the button in the colour of the brand, and no word that a script is missing.
  expect(text).toContain('type="submit"');
  expect(text).not.toContain('<noscript>');
  const policy = headers.get('content-security-policy') ?? '';
  for (const part of [
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ])
    expect(policy.split('; ')).toContain(part);
  expect(policy).not.toContain('script-src');
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(headers.get('cache-control')).toBe('no-store');
  // The page of customers is as it was.
  const { text: own } = await app.ask('GET', `/s/${app.site.slug}`);
  expect(own).not.toContain('Bells');
});

test('leaves out what no brand can be', async () => {
  const { status, text } = await previewOf(`name=${'x'.repeat(500)}&color=red%7D&theme=y&portal=z`);
  expect(status).toBe(200);
  expect(text).not.toContain('x'.repeat(101));
  expect(text).not.toContain('/assets/brand-');
  expect(text).toContain('data-theme="light"');
});

test('is for agents of the site, in a frame of the desk', async () => {
  const other = await app.desk.write((tx) => {
    const ctx = app.desk.context({ kind: 'command_line' }, 'test');
    const { site } = createSite(tx, ctx, { name: 'School' });
    const agent = { email: 'lee@agents.example', name: 'Lee', role: 'admin', sites: [site.id] };
    return addAgent(tx, ctx, agent as never);
  });
  const foreign = (await app.signIn(other.id)).headers.Cookie ?? '';
  for (const headers of [
    {},
    { Cookie: foreign },
    { Cookie: 'helpdesk=hdp_x' },
    { Cookie: cookie, 'Sec-Fetch-Dest': 'document' },
  ]) {
    const { status, text } = await previewOf('name=Bells', headers as Record<string, string>);
    expect(status).toBe(404);
    expect(text).not.toContain('Bells');
  }
  expect((await previewOf('name=Bells', { Cookie: cookie, 'Sec-Fetch-Dest': 'iframe' })).status).toBe(200);
});

test('is in the language of the agent, unless its pages have one', async () => {
  expect((await previewOf('name=Bells&language=de-AT')).text).toContain('<html lang="de');
  await app.desk.write((tx) => {
    const ctx = app.desk.context({ kind: 'command_line' }, 'test');
    changeSite(tx, ctx, app.site.slug, { settings: { locale: 'fr' } }, null);
    return null;
  });
  expect((await previewOf('name=Bells&language=de-AT')).text).toContain('<html lang="fr');
});

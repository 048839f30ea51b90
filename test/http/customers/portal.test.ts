// What a site shows its customers: its settings, its logo, and what its form needs.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readPortal } from '../../../src/http/api/customers/portal-sites.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anImage, imageUrl } from '../../support/images.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const settle = (settings: object) => app.asTeam('PATCH', '/api/v1/sites/web-shop', { settings });
const portalOf = (slug: string) => app.ask('GET', `/api/v1/customer/sites/${slug}`);

describe('the settings', () => {
  test('of a new site keep its pages shut and its links safe', async () => {
    const { settings } = (await app.asTeam('GET', '/api/v1/sites/web-shop')).json.data;
    expect(settings).toMatchObject({
      portal: 'off',
      customer_links: 'confirm',
      brand: { name: null, color: null, logo: null },
      locale: null,
    });
  });

  test('of the brand merge, and a shown logo sent back keeps it', async () => {
    const set = await settle({ brand: { name: 'Shop & Co', color: '#2563EB', logo: imageUrl('image/png') } });
    expect(set.status).toBe(200);
    const { brand } = set.json.data.settings;
    expect(brand).toMatchObject({ name: 'Shop & Co', color: '#2563EB' });
    expect(brand.logo).toMatch(/^\/s\/web-shop\/logo\?v=[0-9a-f]{16}$/);
    const kept = await settle({ brand });
    expect(kept.json.data.settings.brand).toEqual(brand);
    const renamed = await settle({ brand: { name: '' } });
    expect(renamed.json.data.settings.brand).toEqual({ ...brand, name: null });
    const bare = await settle({ brand: { color: null, logo: null } });
    expect(bare.json.data.settings.brand).toEqual({ name: null, color: null, logo: null });
    expect((await settle({ brand })).json.errors).toEqual({
      'settings.brand.logo': ['The logo field must be an image, or the path of the current logo.'],
    });
  });

  test.each([
    [{ portal: 'everything' }, 'settings.portal'],
    [{ customer_links: null }, 'settings.customer_links'],
    [{ locale: 'tlh' }, 'settings.locale'],
    [{ brand: null }, 'settings.brand'],
    [{ brand: { name: 'x'.repeat(101) } }, 'settings.brand.name'],
    [{ brand: { color: 'red' } }, 'settings.brand.color'],
    [{ brand: { color: '#fff;} body{display:none' } }, 'settings.brand.color'],
    [{ brand: { color: 'url(//elsewhere.example)' } }, 'settings.brand.color'],
    [{ brand: { logo: 'https://elsewhere.example/logo.png' } }, 'settings.brand.logo'],
    [{ brand: { logo: 'data:image/svg+xml;base64,PHN2Zy8+' } }, 'settings.brand.logo'],
    [{ brand: { logo: '/s/web-shop/logo?v=0000000000000000' } }, 'settings.brand.logo'],
    [{ brand: { logo: 7 } }, 'settings.brand.logo'],
  ])('%j are refused by name', async (settings, path) => {
    const { status, json } = await settle(settings);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([path]);
  });

  test('are audited without the bytes of the logo', async () => {
    await settle({ brand: { logo: imageUrl('image/gif') }, portal: 'form' });
    const [row] = (await app.ask('GET', '/api/v1/audit?action=site.updated', await app.signIn(app.agentId))).json.data;
    expect(row.after.settings).toMatchObject({
      portal: 'form',
      brand: { logo: expect.stringMatching(/^\w{16}$/) },
    });
    expect(JSON.stringify(row)).not.toContain('base64');
  });
});

describe('the logo', () => {
  test('is served from the desk as the image it is, in a sandbox, and kept by its version', async () => {
    await settle({ portal: 'form', brand: { logo: imageUrl('image/webp') } });
    const { logo } = (await portalOf('web-shop')).json.data.brand;
    const response = await app.fetch(new Request(`http://desk.localhost${logo}`));
    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(anImage('image/webp'));
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const again = await app.ask('GET', logo, { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
    const other = await app.ask('GET', '/s/web-shop/logo?v=0123456789abcdef');
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect((await app.ask('POST', '/s/web-shop/logo')).status).toBe(405);
  });

  test('is not there for a site without one, without pages, or that does not exist', async () => {
    const path = (await portalOf('web-shop')).json.data.brand.logo as string;
    await settle({ portal: 'off', customer_links: 'off' });
    const hidden = await app.ask('GET', path);
    await settle({ customer_links: 'confirm', brand: { logo: null } });
    const none = await app.ask('GET', path);
    const unknown = await app.ask('GET', '/s/no-shop/logo');
    expect([hidden, none, unknown].map(({ status }) => status)).toEqual([404, 404, 404]);
    for (const { json } of [hidden, none, unknown]) expect(json.message).toBe('This file does not exist.');
  });
});

describe('the front door', () => {
  test('shows what a form needs, and nothing that is for agents', async () => {
    await settle({ portal: 'form_and_tickets', brand: { name: 'Shop & Co' }, locale: 'nl' });
    const add = (path: string, body: object) => app.asTeam('POST', `/api/v1/sites/web-shop/${path}`, body);
    await add('categories', { name: 'Billing', description: 'SECRET for agents' });
    await add('categories', { name: 'SECRET old', is_active: false });
    const order = { key: 'order', label: 'Order <b>', type: 'select', options: ['a', '"b"'], is_required: true };
    await add('custom-fields', { ...order, is_author_visible: true });
    await add('custom-fields', { key: 'margin', label: 'SECRET', type: 'text', is_author_visible: false });
    await add('custom-fields', {
      key: 'gone',
      label: 'SECRET',
      type: 'text',
      is_author_visible: true,
      is_active: false,
    });
    await app.asTeam('PATCH', '/api/v1/sites/web-shop', { description: 'SECRET', name: 'SECRET internal name' });
    const { status, json, text, headers } = await portalOf('web-shop');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json.data).toEqual({
      name: 'Shop & Co',
      slug: 'web-shop',
      portal: 'form_and_tickets',
      brand: { name: 'Shop & Co', color: null, logo: null },
      locale: 'nl',
      categories: [
        { id: expect.any(Number), slug: 'general', name: 'General' },
        { id: expect.any(Number), slug: 'billing', name: 'Billing' },
      ],
      custom_fields: [{ ...order, description: '' }],
      attachments: { extensions: expect.arrayContaining(['pdf']), max_bytes: 10 * 1024 * 1024 },
    });
    expect(text).not.toContain('SECRET');
    expect(readPortal(app.edge, 'web-shop')).toEqual(json.data);
  });

  test.each([
    'other-shop',
    'no-shop',
    'WEB-SHOP',
    '1',
    '%2e%2e%2fweb-shop',
    'web-shop%00',
    '%E0%A4%A',
    '..%5c',
    'x'.repeat(5000),
  ])('is the same 404 at %s', async (slug) => {
    const { status, json } = await portalOf(slug);
    expect([status, json.code, Object.keys(json)]).toEqual([404, 'not_found', ['message', 'code', 'request_id']]);
  });

  test('is shut again when the setting is', async () => {
    await settle({ portal: 'off' });
    expect((await portalOf('web-shop')).status).toBe(404);
  });
});

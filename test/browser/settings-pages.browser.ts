// The settings of customers' pages: a brand with its preview, a colour that is hard to see, and the form switched on.

import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { visitForEachTest } from '../support/visitors.ts';
import { violations } from './axe.ts';
import type { Visitor } from './browser.ts';
import type { BrowserDesk } from './desk.ts';
import { owner, signInAs, startShop } from './owner.ts';
import { t } from './texts.ts';
import { waitUntil } from './wait.ts';

let desk: BrowserDesk;
let visitor: Visitor;
visitForEachTest({
  async open() {
    desk = await startShop();
    return desk;
  },
  async come(each) {
    visitor = each;
    await signInAs(visitor, desk, owner.email);
  },
});

const settings = async () => (await desk.command('site', 'show', 'demo-shop')).data.settings;

test('a brand is previewed, saved and taken back, and the page of the site is switched on', async () => {
  await visitor.open(`${desk.url}/settings/customers-pages`);
  await visitor.see(t.pagesAreOff);
  expect(await violations(visitor)).toEqual([]);
  await visitor.fill(t.brandName, 'Bells & Co');
  await visitor.fill(t.brandColor, '#ffee88');
  await visitor.see(t.colorFineDark);
  await visitor.see(t.colorChangedLight('').slice(0, 20));
  // The real page, with what is not saved yet.
  await waitUntil('three frames show it', async () => {
    const drafts = visitor.page.frames().filter((frame) => frame.url().includes('/preview'));
    const heads = await Promise.all(drafts.map((frame) => frame.$eval('.brand', (head) => head.textContent)));
    return heads.length === 3 && heads.every((head) => head === 'Bells & Co');
  });
  await visitor.see(t.formChoices);
  // A page that is shown smaller widens nothing.
  await visitor.page.setViewport({ width: 390, height: 800 });
  const isWide = () => visitor.page.$eval('form', (form) => form.scrollWidth > form.clientWidth);
  expect(await isWide()).toBe(false);
  await visitor.page.setViewport({ width: 1280, height: 800 });
  expect(await violations(visitor)).toEqual([]);
  await visitor.fill(t.brandColor, 'red');
  await visitor.press('button', t.save);
  await visitor.see(t.pageColorRefused);
  await visitor.fill(t.brandColor, '#1d4ed8');
  await visitor.page.select('select[name=portal]', 'form');
  await visitor.press('button', t.save);
  await visitor.see(t.pagesSaved);
  expect(await settings()).toMatchObject({ portal: 'form', brand: { name: 'Bells & Co', color: '#1d4ed8' } });
  await visitor.see(`${desk.url}/s/demo-shop`);
  expect((await fetch(`${desk.url}/s/demo-shop`)).status).toBe(200);
  expect(await violations(visitor)).toEqual([]);
  await visitor.press('button', t.undo);
  await waitUntil('it is taken back', async () => (await settings()).portal === 'off');
  await visitor.see(t.pagesAreOff);
});

test('a logo that is too large or no picture is refused beside its field, before it is sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-logo-'));
  try {
    await visitor.open(`${desk.url}/settings/customers-pages`);
    for (const [name, bytes] of [
      ['large.png', 101 * 1024],
      ['words.txt', 10],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, Buffer.alloc(bytes, 'a'));
      const input = (await visitor.page.waitForSelector('#brand-logo')) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(path);
      await visitor.page.waitForSelector('#brand-logo-problem');
      await visitor.see(t.logoRefused);
      expect(await violations(visitor)).toEqual([]);
      // Nothing was taken over that could be saved.
      expect(await visitor.isThere('button', t.save)).toBe(false);
      await visitor.page.reload();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file of settings that is too large is refused beside its field, before it is sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-settings-'));
  try {
    await visitor.open(`${desk.url}/settings/settings-file`);
    const path = join(folder, 'settings.yaml');
    writeFileSync(path, 'a'.repeat(257 * 1024));
    const input = (await visitor.page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
    await visitor.page.waitForSelector('.field-problem');
    await visitor.see(t.fileRefused);
    expect(await violations(visitor)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// The addresses that an owner has set in the browser: in force at once, unless the environment says others.

import { afterEach, expect, test } from 'bun:test';
import { readConfig } from '../../src/base/config.ts';
import { withOwnAddresses } from '../../src/data/desk-address.ts';
import { type DataDirectory, openDataDirectory } from '../../src/data/directory.ts';
import { readDeskSettings, updateDeskSettings } from '../../src/store/desk-settings.ts';
import { temporaryFolder } from '../support/folders.ts';

const path = temporaryFolder();
const opened: DataDirectory[] = [];
afterEach(async () => {
  for (const data of opened.splice(0)) await data.close();
});

const configOf = (environment: Record<string, string>) => readConfig({ HELPDESK_DATA: path }, environment);

function open(environment: Record<string, string> = {}): DataDirectory {
  const data = openDataDirectory(configOf(environment));
  opened.push(data);
  return data;
}

const set = ({ desk }: DataDirectory, baseUrl: string | null, inboundDomain: string | null) =>
  desk.write((tx) => {
    updateDeskSettings(tx, { baseUrl, inboundDomain });
    return null;
  });

function seen({ addresses, desk }: DataDirectory): string[] {
  const { mailDomain, mailFrom } = desk.context({ kind: 'command_line' }, 'test');
  return [addresses.baseUrl, addresses.inboundDomain, mailDomain, mailFrom];
}

test('they count as soon as they are committed, by this process or another', async () => {
  const data = open();
  const other = open();
  data.addresses.listenAt('http://127.0.0.1:8080');
  expect(seen(data)).toEqual(['http://127.0.0.1:8080', '127.0.0.1', '127.0.0.1', 'helpdesk@127.0.0.1']);

  await set(data, 'https://desk.example', null);
  expect(seen(data)).toEqual(['https://desk.example', 'desk.example', 'desk.example', 'helpdesk@desk.example']);

  await set(other, 'https://desk.example', 'support.example');
  data.takeUpSettings();
  expect(seen(data)).toEqual([
    'https://desk.example',
    'support.example',
    'support.example',
    'helpdesk@support.example',
  ]);

  await set(data, null, null);
  expect(seen(data)).toEqual(['http://127.0.0.1:8080', '127.0.0.1', '127.0.0.1', 'helpdesk@127.0.0.1']);
});

test('they count after what the environment sets', async () => {
  const environment = { HELPDESK_INBOUND_DOMAIN: 'mail.example' };
  const data = open(environment);
  await set(data, 'https://desk.example', 'support.example');
  expect(seen(data)).toEqual(['https://desk.example', 'mail.example', 'mail.example', 'helpdesk@mail.example']);
  expect(withOwnAddresses(configOf(environment), data.desk.read(readDeskSettings)).own).toEqual(['HELPDESK_BASE_URL']);
});

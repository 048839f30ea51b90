// The addresses that an owner has set in the browser: from the next opening of the desk, unless the environment says others.

import { afterEach, expect, test } from 'bun:test';
import { readConfig } from '../../src/base/config.ts';
import { type DataDirectory, openDataDirectory } from '../../src/data/directory.ts';
import { updateDeskSettings } from '../../src/store/desk-settings.ts';
import { temporaryFolder } from '../support/folders.ts';

const path = temporaryFolder();
let data: DataDirectory | null = null;
afterEach(async () => {
  await data?.close();
  data = null;
});

function open(environment: Record<string, string> = {}): DataDirectory {
  data = openDataDirectory(readConfig({ HELPDESK_DATA: path }, environment));
  return data;
}
const mailOf = ({ desk }: DataDirectory) => desk.context({ kind: 'command_line' }, 'test').mailFrom;

test('they count from the next opening on, and after what the environment sets', async () => {
  const first = open();
  expect([first.config.HELPDESK_BASE_URL, first.ownSettings, mailOf(first)]).toEqual([null, [], 'helpdesk@localhost']);
  await first.desk.write((tx) => {
    updateDeskSettings(tx, { baseUrl: 'https://desk.example', inboundDomain: 'support.example' });
    return null;
  });
  expect(mailOf(first)).toBe('helpdesk@localhost');
  await first.close();

  const second = open();
  expect(second.config).toMatchObject({
    HELPDESK_BASE_URL: 'https://desk.example',
    HELPDESK_INBOUND_DOMAIN: 'support.example',
  });
  expect(second.ownSettings).toEqual(['HELPDESK_BASE_URL', 'HELPDESK_INBOUND_DOMAIN']);
  expect(mailOf(second)).toBe('helpdesk@support.example');
  await second.close();

  const third = open({ HELPDESK_INBOUND_DOMAIN: 'mail.example' });
  expect([third.config.HELPDESK_INBOUND_DOMAIN, third.ownSettings]).toEqual(['mail.example', ['HELPDESK_BASE_URL']]);
});

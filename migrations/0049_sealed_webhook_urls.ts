// What SQL cannot do of migration 49: encrypting the addresses of webhooks with the key of the desk.

import type { MigrationStep } from './step.ts';

export const step: MigrationStep = (database, seal) => {
  const rows = database.query<{ id: number; url: string }>('SELECT id, webhook_url_sealed AS url FROM channels').all();
  for (const { id, url } of rows) {
    if (seal === null) throw new Error('the addresses of webhooks cannot be encrypted without a key');
    database.run('UPDATE channels SET webhook_url_sealed = ? WHERE id = ?', [seal.seal(url), id]);
  }
};

// Every recurring job and its schedule (croner, never two runs of one job at once).

import { Cron } from 'croner';
import { errorFields, type Log } from './base/log.ts';
import type { Desk } from './desk/desk.ts';
import type { Blobs } from './files/blobs.ts';
import { forgetIdempotencyKeys } from './store/events.ts';
import { knownAttachments } from './store/messages.ts';

export interface Jobs {
  desk: Desk;
  blobs: Blobs;
  log: Log;
  flushTokenUses: () => Promise<void>;
}

export function startScheduler({ desk, blobs, log, flushTokenUses }: Jobs): { stop(): void } {
  const job = (name: string, schedule: string, run: () => Promise<void>) =>
    new Cron(
      schedule,
      {
        name,
        protect: true,
        unref: true,
        catch: (error) => log.error({ job: name, ...errorFields(error) }, 'job failed'),
      },
      run,
    );
  const jobs = [
    job('token uses', '*/20 * * * * *', flushTokenUses),
    job('idempotency keys', '17 * * * * *', async () => {
      // A little at a time: each minute forgets as many as a busy desk writes in one.
      await desk.write((tx) => forgetIdempotencyKeys(tx, desk.now(), 5000));
    }),
    job('orphaned files', '41 23 * * * *', async () => {
      const removed = await blobs.sweep(desk.now(), (ulids) => desk.read((tx) => knownAttachments(tx, ulids)));
      if (removed > 0) log.info({ removed }, 'orphaned files swept');
    }),
  ];
  return {
    stop() {
      for (const each of jobs) each.stop();
    },
  };
}

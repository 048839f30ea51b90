// A dry run of the rules on a message: what they would do, and why.

import { createGate } from '../base/gate.ts';
import type { Desk } from '../desk/desk.ts';
import { type Preview, previewMail } from '../desk/mail/filing.ts';
import { readMailToTry } from '../desk/mail/log.ts';
import type { MailMaterial } from '../desk/mail/material.ts';
import { readSite } from '../desk/sites/sites.ts';
import { DeskError } from '../domain/errors.ts';
import type { Blobs } from '../files/blobs.ts';
import { mailLimits } from '../mail/inbound/limits.ts';
import { ReaderError } from '../reader/reader.ts';
import type { InboundMail } from '../store/mail/inbound.ts';
import type { Site } from '../store/sites/sites.ts';
import type { MailReading } from './mail-reading.ts';
import { type Judge, withRules } from './rule-answers.ts';

/** @param mail its source, or its number in the inbound log */
export type RuleTrial = (siteName: string, mail: Uint8Array | number) => Promise<Preview>;

interface RuleTrialOptions {
  desk: Desk;
  reading: MailReading;
  mailBlobs: Blobs;
  judge: Judge;
}

const anyone = '';

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export function createRuleTrial({ desk, reading, mailBlobs, judge }: RuleTrialOptions): RuleTrial {
  const gate = createGate({
    atOnce: 2,
    waiting: 16,
    waitMs: 10_000,
    refusal: () =>
      new DeskError('unavailable', 'Too many rule tests at the same time. Try again later.', {
        reason: 'busy',
        retryAfterSeconds: 5,
      }),
  });
  const context = () => desk.context({ kind: 'desk' }, 'mail');

  async function understand(raw: Uint8Array, site: Site): Promise<MailMaterial> {
    const staged = await mailBlobs.stage(chunksOf(raw), mailLimits.messageBytes);
    try {
      return await reading.understand(staged.path, site);
    } finally {
      await staged.discard();
    }
  }

  async function tried(siteName: string, mail: Uint8Array | number): Promise<Preview> {
    let row: InboundMail | null = null;
    let material: MailMaterial;
    if (typeof mail === 'number') {
      const stored = desk.read((tx) => readMailToTry(tx, context(), siteName, mail));
      row = stored.row;
      material = await reading.understandStored(stored.row, stored.site);
    } else {
      material = await understand(
        mail,
        desk.read((tx) => readSite(tx, context(), siteName)),
      );
    }
    return await withRules(judge, null, (answer) =>
      desk.read((tx) => previewMail(tx, context(), siteName, row, material, answer)),
    );
  }

  return async (siteName, mail) => {
    try {
      return await gate.pass(anyone, () => tried(siteName, mail));
    } catch (error) {
      throw error instanceof ReaderError ? new DeskError('too_large', error.message) : error;
    }
  };
}

// Tombstones of erased people, kept outside the database for restores (docs/spec/behaviour.md#data-directory).

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { toWire } from '../base/clock.ts';
import type { Context } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import { continueErasure, type Erasure, eraseAgain, erasures } from '../desk/erasure.ts';
import { erasuresName } from './layout.ts';

const line = z.object({
  site_id: z.number().int(),
  // Old lines do not have it.
  site_origin: z.string().nullable().default(null),
  author_id: z.number().int(),
  external_id: z.string().nullable(),
  email: z.string().nullable(),
  at: z.iso.datetime(),
});

const fileOf = (data: string) => join(data, erasuresName);

function lineOf(erasure: Erasure): string {
  return JSON.stringify({
    site_id: erasure.siteId,
    site_origin: erasure.originUlid,
    author_id: erasure.authorId,
    external_id: erasure.externalId,
    email: erasure.email,
    at: toWire(erasure.at),
  });
}

/** Skips a last line that a crash cut short: it was never acknowledged. */
function readErasures(path: string): Erasure[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return [];
      }
      const parsed = line.safeParse(value);
      if (!parsed.success) return [];
      const { site_id, site_origin, author_id, external_id, email, at } = parsed.data;
      return [
        {
          siteId: site_id,
          originUlid: site_origin,
          authorId: author_id,
          externalId: external_id,
          email,
          at: Date.parse(at),
        },
      ];
    });
}

export function knownErasures(data: string, desk: Desk): Erasure[] {
  return [...readErasures(fileOf(data)), ...desk.read((tx) => erasures(tx))];
}

export function noteErasures(data: string, desk: Desk): number {
  const path = fileOf(data);
  const known = new Set(readErasures(path).map(lineOf));
  const missing = desk
    .read((tx) => erasures(tx))
    .map(lineOf)
    .filter((text) => !known.has(text));
  if (missing.length === 0) return 0;
  const file = openSync(path, 'a', 0o600);
  try {
    // Ends a line that a crash cut short.
    writeSync(file, `\n${missing.join('\n')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const folder = openSync(data, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return missing.length;
}

export async function applyErasures(data: string, desk: Desk, ctx: Context): Promise<number> {
  const known = readErasures(fileOf(data));
  if (known.length === 0) return 0;
  const erased = await desk.write((tx) => eraseAgain(tx, ctx, known));
  while (await desk.write((tx) => continueErasure(tx, ctx)));
  return erased;
}

export function togetherErasures(...paths: string[]): string {
  return [...new Set(paths.flatMap((path) => readErasures(path).map(lineOf)))].map((text) => `${text}\n`).join('');
}

// Tombstones of erased people, kept outside the database for restores (docs/spec/behaviour.md#data-directory).

import {
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { toWire } from '../base/clock.ts';
import { sha256Hex } from '../base/crypto.ts';
import { openFile } from '../base/open-file.ts';
import { syncFolderNow } from '../base/sync-folder.ts';
import {
  continueErasure,
  type Erasure,
  eraseAgain,
  erasures,
  erasuresAfter,
  erasuresAmong,
  type Wanted,
  want,
} from '../desk/customers/erasure.ts';
import type { Desk } from '../desk/desk.ts';
import { DataDirectoryError } from './errors.ts';
import { erasuresName } from './layout.ts';

const line = z.strictObject({
  site_id: z.number().int(),
  // Old lines do not have it.
  site_origin: z.string().nullable().default(null),
  author_id: z.number().int(),
  external_id: z.string().nullable(),
  email: z.string().nullable(),
  at: z.iso.datetime(),
  // Old lines do not have it either.
  sum: z.string().optional(),
});

const fileOf = (data: string) => join(data, erasuresName);

type Line = z.infer<typeof line>;

const sumOf = ({ site_id, site_origin, author_id, external_id, email, at }: Line) =>
  sha256Hex(JSON.stringify([site_id, site_origin, author_id, external_id, email, at])).slice(0, 16);

function lineOf(erasure: Erasure): string {
  const fields: Line = {
    site_id: erasure.siteId,
    site_origin: erasure.originUlid,
    author_id: erasure.authorId,
    external_id: erasure.externalId,
    email: erasure.email,
    at: toWire(erasure.at),
  };
  return JSON.stringify({ ...fields, sum: sumOf(fields) });
}

/** Only a last line that a crash cut short is skipped: it was never acknowledged. @throws DataDirectoryError at any other */
function readErasures(path: string): Erasure[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.flatMap((text, index) => {
    const noted = erasureIn(text);
    if (noted === null && text !== '' && index < lines.length - 1) throw unreadable(path, index + 1);
    return noted ?? [];
  });
}

export function requireErasures(data: string): void {
  readErasures(fileOf(data));
}

function unreadable(path: string, number: number): DataDirectoryError {
  return new DataDirectoryError(
    [
      `${path} is damaged in line ${number}: an older backup could bring back the person who is erased there.`,
      'Put back the file from a backup or a copy of the directory. If there is none, remove that line:',
      'the desk notes again each person who is erased in its own database.',
    ].join(' '),
  );
}

function erasureIn(text: string): Erasure | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = line.safeParse(value);
  if (!parsed.success) return null;
  const { site_id, site_origin, author_id, external_id, email, at, sum } = parsed.data;
  if (sum !== undefined && sum !== sumOf(parsed.data)) return null;
  return {
    siteId: site_id,
    originUlid: site_origin,
    authorId: author_id,
    externalId: external_id,
    email,
    at: Date.parse(at),
  };
}

export function knownErasures(data: string, desk: Desk): Erasure[] {
  return [...readErasures(fileOf(data)), ...desk.read((tx) => erasures(tx))];
}

export function noteErasures(data: string, desk: Desk): void {
  const known = new Set(readErasures(fileOf(data)).map(lineOf));
  const all = desk.read((tx) => erasures(tx)).map(lineOf);
  append(
    data,
    all.filter((text) => !known.has(text)),
  );
}

export function noteErasuresOf(data: string, desk: Desk, authorIds: readonly number[]): void {
  append(data, desk.read((tx) => erasuresAmong(tx, authorIds)).map(lineOf));
}

const notedAtOnce = 500;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** For a file that was checked when the desk opened its directory. */
async function* notedErasures(data: string): AsyncGenerator<Erasure> {
  if (!existsSync(fileOf(data))) return;
  for await (const text of createInterface({ input: createReadStream(fileOf(data)) })) {
    const noted = erasureIn(text);
    if (noted !== null) yield noted;
  }
}

const personOf = ({ siteId, authorId }: Erasure) => `${siteId}/${authorId}`;
const keyOf = (one: Erasure) => `${personOf(one)}/${one.at}`;

/** Notes what an earlier process erased and did not note. Returns what is noted of people whom this database has not erased. */
export async function noteMissedErasures(data: string, desk: Desk, isStopping: () => boolean): Promise<Erasure[]> {
  const known = new Set<string>();
  const unknownHere = new Map<string, Erasure>();
  for await (const noted of notedErasures(data)) {
    known.add(keyOf(noted));
    const earlier = unknownHere.get(personOf(noted));
    if (earlier === undefined || earlier.at < noted.at) unknownHere.set(personOf(noted), noted);
  }
  for (let after: number | null = 0; after !== null && !isStopping(); ) {
    const from: number = after;
    const some = desk.read((tx) => erasuresAfter(tx, from, notedAtOnce));
    append(data, some.filter((one) => !known.has(keyOf(one))).map(lineOf));
    for (const one of some) unknownHere.delete(personOf(one));
    after = some.length === notedAtOnce ? (some.at(-1)?.authorId ?? null) : null;
    await turn();
  }
  return isStopping() ? [] : [...unknownHere.values()];
}

/** In steps, with other work in between. If it is interrupted, begin again: who is erased by then is passed over. */
export async function eraseAllAgain(
  desk: Desk,
  known: Iterable<Erasure> | AsyncIterable<Erasure>,
  isStopping: () => boolean,
): Promise<number> {
  const wanted: Wanted = new Map();
  let waiting: Erasure[] = [];
  for await (const one of known) {
    waiting.push(one);
    if (waiting.length < notedAtOnce) continue;
    want(wanted, waiting);
    waiting = [];
    await turn();
  }
  want(wanted, waiting);
  let erased = 0;
  for (let after: number | null = wanted.size === 0 ? null : 0; after !== null && !isStopping(); ) {
    const from: number = after;
    const done = await desk.write((tx) => eraseAgain(tx, desk.context({ kind: 'desk' }, 'restore'), wanted, from));
    erased += done.erased;
    after = done.after;
    await turn();
  }
  return erased;
}

function append(data: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  using file = openFile(fileOf(data), 'a+', 0o600);
  removeCutLine(file.fd);
  writeSync(file.fd, `${missing.join('\n')}\n`);
  fsyncSync(file.fd);
  syncFolderNow(data);
}

const longestLine = 4096;

function removeCutLine(file: number): void {
  const { size } = fstatSync(file);
  const end = Buffer.alloc(Math.min(size, longestLine));
  readSync(file, end, 0, end.length, size - end.length);
  const cut = end.length - 1 - end.lastIndexOf('\n');
  if (cut === 0) return;
  // Only its end of line may be missing.
  if (erasureIn(end.toString('utf8', end.length - cut)) !== null) writeSync(file, '\n');
  else ftruncateSync(file, size - cut);
}

const unfinished = (data: string) => join(data, '.erase-again');

/** Before anything says that the database belongs here: a crash must not end the search for erased people. */
export function expectErasures(data: string): void {
  if (existsSync(fileOf(data))) writeFileSync(unfinished(data), '', { mode: 0o600 });
}

export async function applyErasures(data: string, desk: Desk): Promise<number> {
  if (!existsSync(unfinished(data))) return 0;
  const erased = await eraseAllAgain(desk, notedErasures(data), () => false);
  while (await desk.write((tx) => continueErasure(tx, desk.context({ kind: 'desk' }, 'restore')))) await turn();
  rmSync(unfinished(data), { force: true });
  return erased;
}

/** The lines of these files and of what databases know, each once. */
export function togetherErasures(paths: readonly string[], known: readonly Erasure[]): string {
  const all = [...paths.flatMap((path) => readErasures(path)), ...known];
  return [...new Set(all.map(lineOf))].map((text) => `${text}\n`).join('');
}

/** How many of these the list lacks. */
export function lackedErasures(data: string, known: Iterable<Erasure>): number {
  const noted = new Set(readErasures(fileOf(data)).map(keyOf));
  let lacked = 0;
  for (const one of known) if (!noted.has(keyOf(one))) lacked += 1;
  return lacked;
}

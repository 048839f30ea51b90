// Every kind of work that strangers, applications and agents can give a desk, each made as hard as the limits allow.

import { hostileImports } from './imports.ts';
import { hostileJson } from './json.ts';
import { crowdsOfLargeMail, hostileMail, largeMail } from './mail.ts';
import { hostileQueries, hostileSearches, manyStreams } from './queries.ts';
import { hostileRules } from './rules.ts';
import type { Tally, Target } from './target.ts';
import { longThreads, rareWords } from './threads.ts';
import { hostileUploads } from './uploads.ts';

interface Kind {
  name: string;
  work(target: Target): Promise<Tally>;
}

/** In this order: later ones use what earlier ones have left behind. */
export const kinds: readonly Kind[] = [
  { name: 'JSON', work: (target) => hostileJson(target, 7) },
  { name: 'uploads', work: hostileUploads },
  { name: 'imports', work: (target) => hostileImports(target, 5_000) },
  { name: 'searches', work: hostileSearches },
  { name: 'queries', work: hostileQueries },
  { name: 'long threads', work: longThreads },
  { name: 'rare words', work: rareWords },
  { name: 'event streams', work: manyStreams },
  { name: 'mail', work: (target) => hostileMail(target, 64) },
  { name: 'large mail', work: largeMail },
  { name: 'mail crowds', work: crowdsOfLargeMail },
  { name: 'rules', work: hostileRules },
];

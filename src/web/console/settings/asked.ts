// What a section has asked the desk for.

import type { Refusal } from '../../shared/api.ts';
import type { Fetched } from '../shell/fetched.ts';

/** What has been asked for, and the answer if there is one. */
export interface Asked {
  shown: { readonly value: unknown };
  refusal: { readonly value: Refusal | null };
  reload: () => void;
}

/** Of several requests: shown when all are answered, refused when one is. */
export const together = (all: readonly Fetched<unknown>[]): Asked => ({
  shown: { value: all.every(({ data }) => data.value !== null) || null },
  refusal: { value: all.map(({ refusal }) => refusal.value).find((one) => one !== null) ?? null },
  reload() {
    for (const one of all) one.reload();
  },
});

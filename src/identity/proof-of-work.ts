// Proof of work: a browser guesses a number before the desk does anything for it. Challenges are signed, so none is kept.

import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import * as z from 'zod';
import type { Instant } from '../base/clock.ts';
import type { Seal } from '../base/crypto.ts';
import { proofOfWork } from '../domain/customers/portal.ts';
import { mostSignInWork } from '../domain/people/sign-in.ts';

const algorithm = 'SHA-256';

const keyOf = (seal: Seal) => seal.sign('proof-of-work', algorithm);

export interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

/** @param place what it is solved for: a solution counts nowhere else */
export async function newChallenge(
  seal: Seal,
  place: string,
  now: Instant,
  { maxNumber, lifetimeMs } = proofOfWork,
): Promise<Challenge> {
  const { challenge, salt, signature } = await createChallenge({
    algorithm,
    hmacKey: keyOf(seal),
    maxnumber: maxNumber,
    expires: new Date(now + lifetimeMs),
    params: { place },
  });
  return { algorithm, challenge, maxnumber: maxNumber, salt, signature };
}

const hex = z.string().regex(/^[0-9a-f]{64}$/);

const solution = z.object({
  algorithm: z.literal(algorithm),
  challenge: hex,
  number: z.int().min(0).max(Math.max(proofOfWork.maxNumber, mostSignInWork)),
  salt: z.string().max(300),
  signature: hex,
});

const maxProofCharacters = 1000;

export interface Proof {
  /** Names the challenge, which counts once. */
  challenge: string;
  expiresAt: Instant;
}

/** @param proof base64 of JSON, as ALTCHA's widget sends it. Null if it is wrong, expired or of another place */
export async function readProof(seal: Seal, proof: string, place: string, now: Instant): Promise<Proof | null> {
  const payload = decoded(proof);
  if (payload === null) return null;
  const params = extractParams(payload);
  const expiresAt = Number(params.expires) * 1000;
  // The library's own check of the time would take the machine's clock.
  if (params.place !== place || !(expiresAt > now)) return null;
  const isSolved = await verifySolution(payload, keyOf(seal), false);
  return isSolved ? { challenge: payload.challenge, expiresAt } : null;
}

function decoded(proof: string): z.output<typeof solution> | null {
  if (proof.length > maxProofCharacters) return null;
  try {
    const parsed = solution.safeParse(JSON.parse(atob(proof)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

// Slow hashes of passwords. Bun computes them on a thread of its pool, not on the event loop.

/** @returns a PHC string: `$argon2id$v=19$m=…,t=…,p=1$salt$hash` */
export function argon2Hash(text: string, cost: { memoryKib: number; passes: number }): Promise<string> {
  return Bun.password.hash(text, { algorithm: 'argon2id', memoryCost: cost.memoryKib, timeCost: cost.passes });
}

export function argon2Verify(text: string, hash: string): Promise<boolean> {
  return Bun.password.verify(text, hash);
}

// A disk that is neither full nor filling, whatever the one is that the tests run on.

export const roomyDisk = { free: 100_000_000_000, usedShare: 0.1 } as const;

// Which tab of the browser leads: the one that has the lock. The browser passes it on as soon as a tab closes, crashes or leaves.

import type { Election, Word } from './election.ts';

interface LockElectionOptions {
  id: string;
  say(word: Word): void;
  locks: Pick<LockManager, 'request'>;
  onRole(isLeader: boolean): void;
}

const lockName = 'helpdesk.live';

export function createLockElection({ id, say, locks, onRole }: LockElectionOptions): Election {
  let asking: AbortController | null = null;
  let isLeading = false;

  function announce(): void {
    if (isLeading) say({ kind: 'here', from: id, term: 0 });
  }

  return {
    hear(word) {
      if (word.kind === 'who') announce();
    },
    start() {
      if (asking !== null) return;
      asking = new AbortController();
      const { signal } = asking;
      say({ kind: 'who', from: id });
      const whileLeading = async () => {
        if (signal.aborted) return;
        isLeading = true;
        onRole(true);
        announce();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      };
      // It left before it was its turn.
      locks.request(lockName, { signal }, whileLeading).catch((error) => {
        if (!signal.aborted) throw error;
      });
    },
    leave() {
      asking?.abort();
      asking = null;
      if (!isLeading) return;
      isLeading = false;
      onRole(false);
    },
    announce,
    check: () => undefined,
  };
}

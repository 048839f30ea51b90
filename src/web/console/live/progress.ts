// How far this tab has read the desk's events, and whether it missed some.

interface ProgressOptions {
  /** More was missed than is sent again: what is shown must be read again. */
  onMissed(): void;
}

interface Progress {
  seen(): number | null;
  /** The event after which the stream should go on; null for the next one. */
  after(): number | null;
  /** An answer of the desk was true at this event. */
  noteLoaded(seq: number): void;
  noteRights(rights: string): void;
  /** The stream opened. @param askedAfter what `after` was then */
  begin(askedAfter: number | null, newest: number, isBehind: boolean): void;
  /** Events up to this one are not sent. */
  skip(newest: number): void;
  /** What came before the next word of the leader. */
  expect(previous: number | null): void;
  /** False for an event that was here already. */
  take(seq: number): boolean;
}

export function createProgress({ onMissed }: ProgressOptions): Progress {
  let last: number | null = null;
  let joinedAt: number | null = null;
  let loadedAt: number | null = null;
  let knownRights: string | null = null;

  /** From here on nothing is missed. What was loaded before may be older. */
  function join(seq: number): void {
    last = seq;
    joinedAt = seq;
    if (loadedAt !== null && loadedAt < seq) onMissed();
  }

  return {
    seen: () => last,
    after: () => last ?? loadedAt,
    noteLoaded(seq) {
      if (joinedAt === null) loadedAt = Math.min(loadedAt ?? seq, seq);
      else if (seq < joinedAt) onMissed();
    },
    noteRights(rights) {
      const isChanged = knownRights !== null && rights !== knownRights;
      knownRights = rights;
      if (isChanged) onMissed();
    },
    begin(askedAfter, newest, isBehind) {
      if (last === null) join(isBehind || askedAfter === null ? newest : askedAfter);
      else if (isBehind) {
        last = newest;
        joinedAt = newest;
        onMissed();
      }
    },
    skip(newest) {
      last = Math.max(last ?? newest, newest);
      joinedAt = last;
      onMissed();
    },
    expect(previous) {
      if (previous === null) return;
      if (last === null) join(previous);
      else if (previous > last) {
        last = previous;
        onMissed();
      }
    },
    take(seq) {
      if (last !== null && seq <= last) return false;
      last = seq;
      return true;
    },
  };
}

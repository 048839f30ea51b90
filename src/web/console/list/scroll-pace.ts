// How fast the list is moved, and what may be loaded meanwhile: the agent needs requests for more than scrolling.

import { now } from '../../shared/clock.ts';

/** A longer way between two moves is no scrolling. */
const jumpRows = 500;
/** After a jump, or with few requests left, more is loaded only when the list rests. */
const restMs = 150;
const fewRequests = 150;

interface ScrollPace {
  move(rows: number): void;
  /** Rows a move; negative upwards. */
  rowsAMove(): number;
  /** When it is less than everything, `onRest` follows. */
  mayLoad(): 'nothing' | 'view' | 'everything';
}

export function createScrollPace(onRest: () => void, requestsLeft: () => number): ScrollPace {
  let pace = 0;
  let movedAt = Number.NEGATIVE_INFINITY;
  let isJumping = false;
  let resting: ReturnType<typeof setTimeout> | undefined;

  return {
    move(rows) {
      if (rows === 0) return;
      isJumping = Math.abs(rows) > jumpRows;
      // A jump says nothing about what comes next.
      pace = isJumping ? 0 : pace * 0.6 + rows * 0.4;
      movedAt = now();
    },
    rowsAMove: () => pace,
    mayLoad() {
      const isSparing = requestsLeft() < fewRequests;
      const isResting = now() - movedAt >= restMs;
      if (!isResting && (isSparing || isJumping)) {
        clearTimeout(resting);
        resting = setTimeout(onRest, restMs);
        return isSparing ? 'nothing' : 'view';
      }
      return isSparing ? 'view' : 'everything';
    },
  };
}

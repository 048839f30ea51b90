// What follows a right password, new or old: the agent is in, or proves a second factor first.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { SecondFactorNeeded } from '../shared/wire.ts';
import { SecondStep } from './second-step.tsx';

/** Leaves for where the agent wanted to go. The page with the link or the form does not stay in the history. */
export function enter(): void {
  const wanted = new URLSearchParams(location.search).get('return_to');
  location.replace(ownPath(wanted, location.origin, homePath));
}

interface EntranceProps {
  /** The second step, if the first one was done elsewhere. */
  asked?: SecondFactorNeeded | null;
  /** Draws the first step. It hands on what the desk answered. */
  children: (onAnswer: (answer: object) => void) => ComponentChildren;
  /** Begins with the first step again. Where a link was that step, and is used up, sign-in is the place to begin. */
  onAgain?: (reason: 'expired' | 'wanted') => void;
  onEntered?: () => void;
}

export function Entrance({
  asked = null,
  children,
  onAgain = () => location.assign('/sign-in'),
  onEntered = enter,
}: EntranceProps) {
  const needed = useSignal<SecondFactorNeeded | null>(asked);
  const again = (reason: 'expired' | 'wanted') => {
    needed.value = null;
    onAgain(reason);
  };
  if (needed.value !== null) {
    return (
      <SecondStep
        needed={needed.value}
        onEntered={onEntered}
        onExpired={() => again('expired')}
        onStartAgain={() => again('wanted')}
      />
    );
  }
  return children((answer) => {
    if ('challenge' in answer) needed.value = answer as SecondFactorNeeded;
    else onEntered();
  });
}

// Where a page goes next. A link from outside may only name a path of this desk.
export function ownPath(wanted: string | null, origin: string, otherwise: string): string {
  if (wanted === null || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return otherwise;
  const url = new URL(wanted, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return otherwise;
  // These would end the session again, or lead nowhere.
  if (url.pathname === '/sign-in' || url.pathname.startsWith('/api/')) return otherwise;
  return url.pathname + url.search + url.hash;
}

const homePath = '/inbox/mine';

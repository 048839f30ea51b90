// Shown instead of a section while it loads, or when the desk refused it.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { NotFoundNote } from '../shell/not-found.tsx';
import { Refused } from '../shell/refused.tsx';
import type { Asked } from './asked.ts';
import { t } from './messages.ts';
import { SectionHead } from './section-head.tsx';

interface LoadingProps {
  of: Asked;
  /** It is one thing, which may be gone. */
  isOne?: boolean;
}

/** Heads a screen that does not know yet what its own thing is called. */
export const SectionTitle = createContext('');

export function Loading({ of: { shown, refusal, reload }, isOne = false }: LoadingProps) {
  const section = useContext(SectionTitle);
  if (isOne && refusal.value?.status === 404)
    return (
      <>
        <SectionHead title={t.notFound} />
        <NotFoundNote />
      </>
    );
  if (shown.value !== null) return null;
  return (
    <>
      {isOne && <SectionHead title={section} />}
      {refusal.value === null ? <Skeleton /> : <Refused refusal={refusal.value} onRetry={reload} />}
    </>
  );
}

export function Skeleton() {
  return (
    <div class="panel skeleton" aria-busy="true">
      <span class="skeleton-bar panel-skeleton" />
    </div>
  );
}

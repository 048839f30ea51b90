// A link that no longer works, and what to do next.

import { ButtonLink } from '../shared/button.tsx';
import { t } from '../shared/sign-in-messages.ts';
import { Frame } from './frame.tsx';

interface DeadLinkProps {
  next: string;
  action?: { href: string; text: string };
}

export function DeadLink({ next, action = { href: '/sign-in', text: t.toSignIn } }: DeadLinkProps) {
  return (
    <Frame title={t.linkExpiredTitle} lead={next}>
      <ButtonLink href={action.href} kind="primary" isWide>
        {action.text}
      </ButtonLink>
    </Frame>
  );
}

export function isDead(refusal: { status: number } | null): boolean {
  return refusal !== null && (refusal.status === 410 || refusal.status === 404);
}

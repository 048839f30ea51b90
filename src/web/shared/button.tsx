// Buttons and links that look like buttons.

import type { ComponentChildren } from 'preact';
import type { Submission } from './submission.ts';

interface ButtonProps {
  children: ComponentChildren;
  kind?: 'primary' | 'plain' | 'danger' | 'quiet' | 'note';
  type?: 'button' | 'submit';
  /** Keeps its place and focus, but does nothing when pressed. */
  isBusy?: boolean;
  isDisabled?: boolean;
  isWide?: boolean;
  label?: string;
  /** It opens and closes what has the id `controls`. */
  isExpanded?: boolean;
  controls?: string | undefined;
  onClick?: () => void;
}

export function Button({
  children,
  kind = 'plain',
  type = 'button',
  isBusy = false,
  isDisabled = false,
  isWide = false,
  label,
  isExpanded,
  controls,
  onClick,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}${isWide ? ' wide' : ''}`}
      aria-disabled={isBusy || isDisabled || undefined}
      aria-busy={isBusy || undefined}
      aria-label={label}
      aria-expanded={isExpanded}
      aria-controls={controls}
      onClick={(event) => {
        if (isBusy || isDisabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      <span class="button-text">{children}</span>
    </button>
  );
}

interface SubmitProps extends Pick<ButtonProps, 'children' | 'kind' | 'isWide'> {
  submission: Submission;
}

/** Sends the form that it is in. */
export function Submit({ submission, kind = 'primary', ...props }: SubmitProps) {
  const { isBusy, waitSeconds } = submission;
  return <Button type="submit" kind={kind} isBusy={isBusy.value} isDisabled={waitSeconds.value > 0} {...props} />;
}

interface ButtonLinkProps {
  children: ComponentChildren;
  href: string;
  kind?: 'primary' | 'plain';
  isWide?: boolean;
  isInNewTab?: boolean;
}

export function ButtonLink({ children, href, kind = 'plain', isWide = false, isInNewTab = false }: ButtonLinkProps) {
  const place = isInNewTab ? { target: '_blank', rel: 'noopener' } : {};
  return (
    <a class={`button ${kind}${isWide ? ' wide' : ''}`} href={href} {...place}>
      <span class="button-text">{children}</span>
    </a>
  );
}

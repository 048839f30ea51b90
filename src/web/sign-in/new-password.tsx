// The field for a new password, for setup, invitation and reset.

import { PasswordField } from '../shared/field.tsx';
import { leastPasswordLength } from '../shared/password-rules.ts';
import { t } from '../shared/sign-in-messages.ts';

interface NewPasswordProps {
  label: string;
  value: string;
  problem: string | undefined;
  isFirst?: boolean;
  onValue: (value: string) => void;
}

export function NewPassword(props: NewPasswordProps) {
  return (
    <PasswordField
      {...props}
      name="password"
      autocomplete="new-password"
      isRequired
      hint={t.passwordHint(leastPasswordLength)}
    />
  );
}

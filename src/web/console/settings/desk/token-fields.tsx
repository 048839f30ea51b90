// What a token is for, what it may do, and until when.

import { type TokenAbility, tokenAbilities } from '../../../../domain/actor.ts';
import { TextField } from '../../../shared/field.tsx';
import type { FormState } from '../../../shared/submission.ts';
import { t } from './messages.ts';
import type { Token } from './wire.ts';

export interface TokenValues extends Record<TokenAbility, boolean> {
  name: string;
  /** A date, or empty for no end. */
  expires: string;
}

export const abilityTexts: Readonly<Record<TokenAbility, { name: () => string; may: () => string }>> = {
  read: { name: () => t.mayRead, may: () => t.mayReadHint },
  write: { name: () => t.mayWrite, may: () => t.mayWriteHint },
  manage: { name: () => t.mayManage, may: () => t.mayManageHint },
};

export const tokenFieldNames = ['name', 'abilities', 'expires'];

export const tokenValuesOf = ({ name, abilities, expires_at: expires }: Token): TokenValues => ({
  name,
  expires: expires?.slice(0, 10) ?? '',
  ...{ read: abilities.includes('read'), write: abilities.includes('write'), manage: abilities.includes('manage') },
});

export const abilitiesIn = (values: TokenValues) => tokenAbilities.filter((ability) => values[ability]);

/** It works until the end of that day. */
export const expiryIn = ({ expires }: TokenValues) => (expires === '' ? null : `${expires}T23:59:59Z`);

export function tokenProblems(values: TokenValues): Record<string, string> {
  return {
    ...(values.name.trim() === '' ? { name: t.required } : {}),
    ...(abilitiesIn(values).length === 0 ? { abilities: t.chooseAbility } : {}),
  };
}

export function TokenFields<Values extends TokenValues>({ form, isNew }: { form: FormState<Values>; isNew: boolean }) {
  const problem = form.problems.value.abilities;
  return (
    <>
      <div class="choices">
        <TextField
          label={t.name}
          hint={t.tokenNameHint}
          isRequired
          isFirst={isNew}
          maxLength={255}
          {...form.field('name')}
        />
        <TextField label={t.tokenExpires} hint={t.tokenExpiresHint} type="date" {...form.field('expires')} />
      </div>
      <fieldset class="cards">
        <legend>{t.abilities}</legend>
        {tokenAbilities.map((ability) => (
          <label key={ability}>
            <input
              type="checkbox"
              checked={form.values[ability]}
              onChange={({ currentTarget }) => {
                form.forget('abilities');
                form.change({ [ability]: currentTarget.checked } as Partial<Values>);
              }}
            />
            <span>
              <strong>{abilityTexts[ability].name()}</strong>
              <span class="soft">{abilityTexts[ability].may()}</span>
            </span>
          </label>
        ))}
        {problem !== undefined && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
      </fieldset>
    </>
  );
}

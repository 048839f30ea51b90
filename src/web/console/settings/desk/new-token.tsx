// A new token, shown once with a call that works.

import { useSignal } from '@preact/signals';
import { ChoiceField } from '../../../shared/field.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go } from '../../route.ts';
import { visibleSites } from '../../session.ts';
import { useNew } from '../edited.ts';
import { EqualCommand, shellLine } from '../equal-command.tsx';
import { NewForm } from '../new-form.tsx';
import { openSite, settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import { NewSecret } from './new-secret.tsx';
import { inWords, problemsIn } from './refusals.ts';
import { seesEverySite } from './role-and-sites.tsx';
import {
  abilitiesIn,
  expiryIn,
  TokenFields,
  type TokenValues,
  tokenFieldNames,
  tokenProblems,
} from './token-fields.tsx';
import type { Token } from './wire.ts';

interface Issued {
  data: Token;
  token: string;
}

const everySite = '';

export function NewToken() {
  const form = useNew(
    'token.new',
    {
      ...{ name: '', expires: '', read: true, write: false, manage: false },
      site: seesEverySite() ? everySite : String(openSite.value?.id ?? everySite),
    } as TokenValues & { site: string },
    problemsIn,
  );
  const issued = useSignal<Issued | null>(null);
  const { values } = form;
  const site = visibleSites.value.find(({ id }) => String(id) === values.site);

  async function issue(): Promise<void> {
    const missing = tokenProblems(form.values);
    if (Object.keys(missing).length > 0) return form.refuse(missing);
    const { name, site: chosen } = form.values;
    const body = {
      ...{ name, abilities: abilitiesIn(form.values), expires_at: expiryIn(form.values) },
      site_id: chosen === everySite ? null : Number(chosen),
    };
    issued.value = await form.send(async () => inWords(await ask<Issued>('POST', '/tokens', body)));
  }

  return (
    <>
      <NewForm
        form={form}
        title={t.newToken}
        lead={t.newTokenLead}
        fields={[...tokenFieldNames, 'expires_at']}
        list={settingsPath('tokens')}
        action={t.createToken}
        onSubmit={() => void issue()}
      >
        <TokenFields form={form} isNew />
        <ChoiceField
          label={t.tokenSite}
          hint={t.tokenSiteHint}
          options={[
            ...(seesEverySite() ? [{ value: everySite, text: t.everySite }] : []),
            ...visibleSites.value.map(({ id, name }) => ({ value: String(id), text: name })),
          ]}
          {...form.field('site')}
        />
      </NewForm>
      <EqualCommand
        words={[
          ...['helpdesk', 'token', 'issue', '--name', values.name.trim() || 'NAME'],
          ...['--abilities', abilitiesIn(values).join(',')],
          ...(site === undefined ? [] : ['--site', site.slug]),
          ...(values.expires === '' ? [] : ['--expires', expiryIn(values) ?? '']),
        ]}
      />
      {issued.value !== null && (
        <NewSecret
          title={t.tokenIssued(issued.value.data.name)}
          text={t.tokenOnce}
          lines={[{ name: t.token, value: issued.value.token }, ...exampleOf(issued.value)]}
          onClose={() => go(settingsPath('tokens', issued.value?.data.id), { replace: true })}
        />
      )}
    </>
  );
}

/** A call that changes nothing. A token that only writes has none. */
function exampleOf({ data, token }: Issued): { name: string; value: string }[] {
  const list = data.abilities.includes('read') ? 'tickets' : data.abilities.includes('manage') ? 'agents' : null;
  if (list === null) return [];
  const url = `${location.origin}/api/v1/${list}?per_page=1`;
  return [{ name: t.tokenTry, value: shellLine(['curl', '-H', `Authorization: Bearer ${token}`, url]) }];
}

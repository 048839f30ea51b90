// One token: what it may do, until when, and revoking it.

import { announce } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go } from '../../route.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import { inWords, problemsIn } from './refusals.ts';
import {
  abilitiesIn,
  expiryIn,
  TokenFields,
  type TokenValues,
  tokenFieldNames,
  tokenProblems,
  tokenValuesOf,
} from './token-fields.tsx';
import { placeOf, TokenState } from './token-state.tsx';
import type { Token } from './wire.ts';

export function TokenPage({ id }: { id: string }) {
  const path = `/tokens/${encodeURIComponent(id)}`;
  const live = useLiveData<Token>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  return <FoundToken {...{ path, found }} reload={live.reload} />;
}

interface FoundProps {
  path: string;
  found: Versioned<Token>;
  reload: () => Promise<void>;
}

function FoundToken({ path, found, reload }: FoundProps) {
  const { id, name, site } = found.data;
  /** A time of day that was set elsewhere stays until the date is changed. */
  const expiryOf = (values: TokenValues) =>
    values.expires === tokenValuesOf(found.data).expires ? found.data.expires_at : expiryIn(values);
  return (
    <>
      <SectionHead title={name} lead={placeOf(found.data)}>
        <Revoke path={path} name={name} />
      </SectionHead>
      <div class="panel mailbox-now" role="status">
        <p>
          <TokenState token={found.data} />
        </p>
      </div>
      <SectionForm<TokenValues, Token>
        label={name}
        name={`token.${id}`}
        {...{ found, reload, problemsIn, valuesOf: tokenValuesOf, fields: [...tokenFieldNames, 'expires_at'] }}
        names={{
          ...{ name: t.name, expires: t.tokenExpires },
          ...{ read: t.mayRead, write: t.mayWrite, manage: t.mayManage },
        }}
        readOnly={null}
        check={tokenProblems}
        put={async (values, etag) => {
          const body = { name: values.name, abilities: abilitiesIn(values), expires_at: expiryOf(values) };
          return inWords(await ask<{ data: Token }>('PATCH', path, body, { 'If-Match': etag }));
        }}
        said={(token) => t.personSaved(token.name)}
      >
        {(form) => <TokenFields form={form} isNew={false} />}
      </SectionForm>
      <LastChange siteId={site} actions={['token.issued', 'token.updated']} targetId={id} version={found.etag} />
      <EqualCommand words={['helpdesk', 'token', 'revoke', String(id)]} />
    </>
  );
}

/** It cannot be taken back: the desk keeps no copy of the token. */
function Revoke({ path, name }: { path: string; name: string }) {
  return (
    <RemoveButton
      title={t.revokeTitle(name)}
      text={t.revokeText}
      action={t.revoke}
      send={() => ask('DELETE', path)}
      onDone={() => {
        announce(t.tokenRevoked(name));
        go(settingsPath('tokens'), { replace: true });
      }}
    />
  );
}

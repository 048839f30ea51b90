// Team tokens: which programs have one and what each may do, one of them, or a new one.

import { Icon } from '../../../shared/icons.tsx';
import { Link } from '../../route.ts';
import { Empty } from '../../shell/empty.tsx';
import { useFetched } from '../../shell/fetched.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { SectionHead } from '../section-head.tsx';
import { type DeskSectionProps, settingsPath } from '../settings-route.ts';
import { FoundList } from './found-list.tsx';
import { t } from './messages.ts';
import { NewToken } from './new-token.tsx';
import { abilityTexts } from './token-fields.tsx';
import { TokenPage } from './token-page.tsx';
import { placeOf, TokenState } from './token-state.tsx';
import type { Token } from './wire.ts';

export function TokensSection({ id }: DeskSectionProps) {
  if (id === 'new') return <NewToken />;
  return id === null ? <Tokens /> : <TokenPage id={id} />;
}

function Tokens() {
  const { data, refusal, reload } = useFetched<{ data: Token[] }>('/tokens');
  return (
    <>
      <SectionHead title={t.tokens} lead={t.tokensLead}>
        <Link href={settingsPath('tokens', 'new')} class="button primary">
          <Icon name="plus" />
          {t.newToken}
        </Link>
      </SectionHead>
      <FoundList<Token>
        label={t.tokens}
        rows={data.value?.data ?? null}
        {...{ refusal, reload }}
        textOf={(token) => `${token.name} ${placeOf(token)}`}
        none={
          <Empty icon="key" title={t.noTokens}>
            {t.noTokensText}
          </Empty>
        }
      >
        {(token) => <Row key={token.id} token={token} />}
      </FoundList>
      <LastChange
        siteId={null}
        actions={['token.issued', 'token.updated', 'token.revoked']}
        targetId={null}
        version={String(data.value?.data.length)}
      />
      <EqualCommand words={['helpdesk', 'token', 'list']} />
    </>
  );
}

function Row({ token }: { token: Token }) {
  const { id, name, abilities } = token;
  return (
    <li>
      <Icon name="key" />
      <div class="mailbox-name">
        <Link href={settingsPath('tokens', id)} class="row-link">
          <bdi>{name}</bdi>
        </Link>
        <p class="soft">{abilities.map((ability) => abilityTexts[ability].name()).join(' · ')}</p>
        <p class="soft" title={placeOf(token)}>
          {placeOf(token)}
        </p>
      </div>
      <div class="mailbox-health">
        <TokenState token={token} />
      </div>
    </li>
  );
}

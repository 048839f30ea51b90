// The agent's passkeys.

import { useSignal } from '@preact/signals';
import { Button } from '../../shared/button.tsx';
import { now } from '../../shared/clock.ts';
import { ago, day } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { announce } from '../../shared/notices.tsx';
import { passkeyObstacle } from '../../shared/passkeys.ts';
import { Question } from '../../shared/question.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useSubmission } from '../../shared/submission.ts';
import type { Passkey } from '../../shared/wire.ts';
import { AddPasskey } from './add-passkey.tsx';
import { t } from './messages.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Row, Section } from './section.tsx';
import { loadProfile } from './state.ts';

export function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  const submission = useSubmission();
  const isAdding = useSignal(false);
  const leaving = useSignal<Passkey | null>(null);
  const codes = useSignal<string[] | null>(null);
  const obstacle = passkeyObstacle();

  function finish(): void {
    announce(t.passkeyAdded);
    void loadProfile();
  }

  async function remove({ id }: Passkey): Promise<void> {
    const isDone = await submission.send(() => ask('DELETE', `/me/passkeys/${id}`));
    if (isDone === null) return;
    leaving.value = null;
    announce(t.passkeyRemoved);
    await loadProfile();
  }

  return (
    <Section
      id="passkeys"
      title={t.passkeys}
      lead={t.passkeysLead}
      action={
        obstacle === null ? (
          <Button
            onClick={() => {
              isAdding.value = true;
            }}
          >
            {t.addPasskey}
          </Button>
        ) : undefined
      }
    >
      {passkeys.map((passkey) => (
        <Row
          key={passkey.id}
          icon={<Icon name="key" />}
          title={passkey.name}
          detail={
            passkey.last_used_at === null
              ? t.passkeyAddedAt(day(passkey.created_at))
              : t.passkeyUsedAt(ago(passkey.last_used_at, now()))
          }
        >
          <Button
            label={t.removePasskey(passkey.name)}
            onClick={() => {
              leaving.value = passkey;
            }}
          >
            {t.remove}
          </Button>
        </Row>
      ))}
      {passkeys.length === 0 && <Row icon={<Icon name="key" />} title={t.noPasskeys} />}
      {obstacle !== null && (
        <p class="panel-note">{obstacle === 'insecure' ? t.insecurePasskeys : t.oldBrowserPasskeys}</p>
      )}
      {isAdding.value && (
        <AddPasskey
          onDone={(found) => {
            isAdding.value = false;
            codes.value = found;
            if (found === null) finish();
          }}
          onClose={() => {
            isAdding.value = false;
          }}
        />
      )}
      {codes.value !== null && (
        <RecoveryCodes
          codes={codes.value}
          onClose={() => {
            codes.value = null;
            finish();
          }}
        />
      )}
      {leaving.value !== null && (
        <Question
          title={t.removePasskeyTitle(leaving.value.name)}
          text={t.removePasskeyText}
          action={t.remove}
          submission={submission}
          onConfirm={() => leaving.value && void remove(leaving.value)}
          onClose={() => {
            leaving.value = null;
            submission.clear();
          }}
        />
      )}
    </Section>
  );
}

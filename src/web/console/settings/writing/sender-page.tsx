// One sender: its name and address, what DNS says of it, and whether it is the one that mail is from by default.

import { SwitchField, TextField } from '../../../shared/field.tsx';
import { announce } from '../../../shared/notices.tsx';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { ask } from '../../../shared/signed-in.ts';
import type { FormState } from '../../../shared/submission.ts';
import { go, Link } from '../../route.ts';
import { can } from '../../session.ts';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { NewForm } from '../new-form.tsx';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import type { Sender } from './wire.ts';

interface SenderValues {
  address: string;
  name: string;
  dkim_selectors: string;
  is_default: boolean;
}

const valuesOf = (sender: Sender): SenderValues => ({
  address: sender.address ?? '',
  name: sender.name ?? '',
  dkim_selectors: sender.dkim_selectors.join(', '),
  is_default: sender.is_default,
});

const bodyOf = ({ address, name, dkim_selectors: selectors, is_default }: SenderValues) => ({
  address: address.trim() === '' ? null : address.trim(),
  name: name.trim() === '' ? null : name.trim(),
  dkim_selectors: selectors.split(/[\s,]+/).filter((one) => one !== ''),
  ...(is_default ? { is_default } : {}),
});

export function AddSender({ site }: Pick<SectionProps, 'site'>) {
  const form = useNew<SenderValues>(
    `sender.new.${site.id}`,
    { address: '', name: '', dkim_selectors: '', is_default: false },
    fieldProblems,
  );
  async function add(): Promise<void> {
    if (form.values.address.trim() === '') return form.refuse({ address: t.required });
    const added = await form.send(() =>
      ask<{ data: Sender }>('POST', `/sites/${site.id}/senders`, bodyOf(form.values)),
    );
    if (added === null) return;
    announce(t.senderAdded(added.data.from.address));
    go(settingsPath('writing', added.data.id, site), { replace: true });
  }
  return (
    <>
      <NewForm
        form={form}
        title={t.addSenderAddress}
        lead={t.addSenderLead}
        fields={['address', 'name', 'dkim_selectors']}
        list={settingsPath('writing', undefined, site)}
        action={t.addSenderAddress}
        onSubmit={() => void add()}
      >
        <SenderFields form={form} isDefault={false} isNew />
      </NewForm>
      <EqualCommand
        words={[
          'helpdesk',
          'sender',
          'add',
          '--site',
          site.slug,
          '--address',
          form.values.address || 'help@example.org',
        ]}
      />
    </>
  );
}

export function SenderPage({ site, id }: SectionProps) {
  const path = `/sites/${site.id}/senders/${encodeURIComponent(id ?? '')}`;
  const live = useLiveData<Sender>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  return <LoadedSender {...{ site, path, found }} reload={live.reload} />;
}

interface LoadedProps extends Pick<SectionProps, 'site'> {
  path: string;
  found: Versioned<Sender>;
  reload: () => Promise<void>;
}

function LoadedSender({ site, path, found, reload }: LoadedProps) {
  const sender = found.data;
  return (
    <>
      <SectionHead title={sender.from.name} lead={<bdi>{sender.from.address}</bdi>}>
        <Link href={settingsPath('mail-dns', undefined, site)} class="button plain">
          {t.seeRecords}
        </Link>
        {can('manage') && !sender.is_default && (
          <RemoveButton
            title={t.removeSenderTitle(sender.from.address)}
            text={t.removeSenderText}
            action={t.remove}
            send={() => ask('DELETE', path)}
            onDone={() => {
              announce(t.senderRemoved(sender.from.address));
              go(settingsPath('writing', undefined, site), { replace: true });
            }}
          />
        )}
      </SectionHead>
      <SectionForm<SenderValues, Sender>
        label={t.senderSettings}
        name={`sender.${sender.id}`}
        {...{ found, reload, valuesOf }}
        names={{
          address: t.senderAddress,
          name: t.senderName,
          dkim_selectors: t.dkimSelectors,
          is_default: t.isDefault,
        }}
        readOnly={can('manage') ? null : t.onlyManagersChange}
        isUndoable={(before, sent) => before.is_default === sent.is_default}
        put={(values, etag) => ask('PATCH', path, bodyOf(values), { 'If-Match': etag })}
        said={({ from }) => t.senderSaved(from.address)}
      >
        {(form) => <SenderFields form={form} isDefault={sender.is_default} isNew={false} />}
      </SectionForm>
      <LastChange
        siteId={site.id}
        actions={['sender.created', 'sender.updated']}
        targetId={sender.id}
        version={found.etag}
      />
      <EqualCommand words={['helpdesk', 'sender', 'check', String(sender.id), '--site', site.slug]} />
    </>
  );
}

function SenderFields({
  form,
  isDefault,
  isNew,
}: {
  form: FormState<SenderValues>;
  isDefault: boolean;
  isNew: boolean;
}) {
  return (
    <>
      <TextField
        label={t.senderAddress}
        type="email"
        isRequired={isNew}
        hint={isDefault ? t.defaultAddressHint : undefined}
        maxLength={254}
        {...form.field('address')}
      />
      <TextField label={t.senderName} hint={t.senderNameHint} maxLength={255} {...form.field('name')} />
      <TextField label={t.dkimSelectors} hint={t.dkimSelectorsHint} {...form.field('dkim_selectors')} />
      {!isDefault && <SwitchField label={t.isDefault} hint={t.isDefaultHint} {...form.field('is_default')} />}
    </>
  );
}

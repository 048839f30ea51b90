// Inviting someone: the link goes to them by mail, or is shown once.

import { useSignal } from '@preact/signals';
import { TextField } from '../../../shared/field.tsx';
import { announce } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go } from '../../route.ts';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { NewForm } from '../new-form.tsx';
import { openSite, settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';
import { NewSecret } from './new-secret.tsx';
import { inWords, problemsIn } from './refusals.ts';
import { type RoleAndSites, RoleAndSitesFields, seesEverySite, siteFlags, siteIdsIn } from './role-and-sites.tsx';
import type { Person } from './wire.ts';

interface Invited {
  data: Person;
  invitation_url: string | null;
}

export const personFields = ['name', 'address', 'role', 'sites'];

export function InvitePerson() {
  const form = useNew(
    'person.new',
    {
      ...{ name: '', address: '', role: 'member', every_site: seesEverySite() },
      sites: seesEverySite() ? '' : (openSite.value?.slug ?? ''),
    } as RoleAndSites & { name: string; address: string },
    problemsIn,
  );
  const invited = useSignal<Invited | null>(null);
  const { values } = form;

  async function invite(): Promise<void> {
    const { name, address, role } = form.values;
    const sites = siteIdsIn(form.values);
    const missing = {
      ...(name.trim() === '' ? { name: t.required } : {}),
      ...(address.trim() === '' ? { address: t.required } : {}),
      ...(sites === null ? { sites: t.chooseSite } : {}),
    };
    if (Object.keys(missing).length > 0) return form.refuse(missing);
    const made = await form.send(async () =>
      inWords(await ask<Invited>('POST', '/agents', { name, email: address, role, sites })),
    );
    if (made === null) return;
    if (made.invitation_url === null) done(made);
    else invited.value = made;
  }
  function done({ data }: Invited): void {
    announce(t.personWasInvited(data.name));
    go(settingsPath('people', data.id), { replace: true });
  }

  return (
    <>
      <NewForm
        form={form}
        title={t.invitePerson}
        lead={t.invitePersonLead}
        fields={[...personFields, 'email']}
        list={settingsPath('people')}
        action={t.sendInvitation}
        onSubmit={() => void invite()}
      >
        <div class="choices">
          <TextField label={t.personEmail} type="email" isRequired isFirst maxLength={320} {...form.field('address')} />
          <TextField label={t.name} isRequired maxLength={255} {...form.field('name')} />
        </div>
        <RoleAndSitesFields form={form} />
      </NewForm>
      {values.address !== '' && (
        <EqualCommand
          words={[
            ...['helpdesk', 'agent', 'invite', '--email', values.address.trim(), '--name', values.name.trim()],
            ...['--role', values.role, ...siteFlags(values, [])],
          ]}
        />
      )}
      {invited.value !== null && (
        <InvitationLink invited={invited.value} onClose={() => invited.value && done(invited.value)} />
      )}
    </>
  );
}

export function InvitationLink({ invited, onClose }: { invited: Invited; onClose: () => void }) {
  return (
    <NewSecret
      title={t.invitationOf(invited.data.name)}
      text={t.invitationOnce}
      lines={[{ name: t.invitationLink, value: invited.invitation_url ?? '' }]}
      onClose={onClose}
    />
  );
}

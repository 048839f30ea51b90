// Colleagues are invited.

import { useSignal } from '@preact/signals';
import { agentRoles, type Role } from '../../../../domain/actor.ts';
import { Button, Submit } from '../../../shared/button.tsx';
import { ChoiceField, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import type { Agent } from '../../../shared/wire.ts';
import { Link } from '../../route.ts';
import type { Site } from '../../session.ts';
import { t as ofDesk } from '../desk/messages.ts';
import { roleTexts } from '../desk/role-and-sites.tsx';
import { copyLine, EqualCommand } from '../equal-command.tsx';
import { settingsPath } from '../settings-route.ts';
import { t } from './messages.ts';

interface TeamStepProps {
  site: Site;
  onInvited: () => void;
}

export function TeamStep({ site, onInvited }: TeamStepProps) {
  const form = useForm({ email: '', name: '', role: 'member' as Role });
  const link = useSignal<{ name: string; url: string } | null>(null);
  async function invite(): Promise<void> {
    const { email, name, role } = form.values;
    if (email.trim() === '') return form.refuse({ email: t.required });
    if (name.trim() === '') return form.refuse({ name: t.required });
    // An owner has every site.
    const body = { email: email.trim(), name, role, ...(role === 'owner' ? {} : { sites: [site.id] }) };
    const invited = await form.send(() => ask<{ data: Agent; invitation_url: string | null }>('POST', '/agents', body));
    if (invited === null) return;
    link.value = invited.invitation_url === null ? null : { name, url: invited.invitation_url };
    if (link.value === null) announce(t.invitationMailed(email.trim()));
    form.change({ email: '', name: '' });
    onInvited();
  }
  const { email, name, role } = form.values;
  return (
    <>
      <p>{t.stepTeamLead}</p>
      <Form submission={form} label={t.stepTeam} onSubmit={() => void invite()}>
        <SubmissionNotice submission={form} fields={['email', 'name', 'role']} />
        <TextField label={t.colleagueEmail} type="email" maxLength={320} isRequired {...form.field('email')} />
        <TextField label={t.name} maxLength={255} isRequired {...form.field('name')} />
        <ChoiceField
          label={t.colleagueRole}
          hint={roleTexts[form.values.role].may()}
          options={agentRoles.map((value) => ({ value, text: roleTexts[value].name() }))}
          {...form.field('role')}
        />
        <div>
          <Submit submission={form}>{t.stepsInvite}</Submit>
        </div>
      </Form>
      {link.value !== null && (
        <div role="status" class="shown-once">
          <p>
            {t.passLinkOn(link.value.name)} <Link href={settingsPath('mail-server')}>{ofDesk.mailServer}</Link>
          </p>
          <code>{link.value.url}</code>
          <Button onClick={() => void copyLine(link.value?.url ?? '', t.invitationCopied)}>{t.copyInvitation}</Button>
        </div>
      )}
      <EqualCommand
        words={[
          ...['helpdesk', 'agent', 'invite', '--email', email.trim() || 'kim@example.org'],
          ...['--name', name.trim() || 'Kim Sato', '--role', role, ...(role === 'owner' ? [] : ['--site', site.slug])],
        ]}
      />
    </>
  );
}

// The desk itself: its name, what agents start with, who needs a second factor, and the issuer at which they can sign in.

import { type Locale, secondFactorPolicies } from '../../../../domain/people/preferences.ts';
import { type AgentReports, agentReports } from '../../../../domain/reports/metrics.ts';
import { ChoiceField, SwitchField, TextField } from '../../../shared/field.tsx';
import { languageNames } from '../../../shared/messages.ts';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import { changedFlags, EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { IssuerPart, type WithIssuer } from './issuer-part.tsx';
import { t } from './messages.ts';

interface Desk extends WithIssuer {
  name: string;
  locale: Locale;
  time_zone: string;
  require_second_factor: (typeof secondFactorPolicies)[number];
  push_content: boolean;
  agent_reports: AgentReports;
}

const ownFields = ['name', 'locale', 'time_zone', 'require_second_factor', 'push_content', 'agent_reports'];

export function DeskSection() {
  const { shown, refusal, reload } = useLiveData<Desk>('/desk');
  const found = shown.value;
  return (
    <>
      <SectionHead title={t.deskSignIn} lead={t.deskSignInLead} />
      <Loading of={{ shown, refusal, reload }} />
      {found !== null && (
        <>
          <SectionForm<Omit<Desk, 'issuer'>, Desk>
            label={t.deskSignIn}
            name="desk"
            {...{ found, reload }}
            valuesOf={({ name, locale, time_zone, require_second_factor, push_content, agent_reports }) => ({
              ...{ name, locale, time_zone, require_second_factor, push_content, agent_reports },
            })}
            names={{
              ...{ name: t.nameOfDesk, locale: t.deskLanguage, time_zone: t.deskTimeZone },
              ...{ require_second_factor: t.requireFactor, push_content: t.pushContent },
              agent_reports: t.agentReports,
            }}
            put={(values, etag) => ask('PATCH', '/desk', values, { 'If-Match': etag })}
            said={({ name }) => t.personSaved(name)}
            readOnly={can('own') ? null : t.onlyOwnersChange}
          >
            {(form) => (
              <>
                <TextField
                  label={t.nameOfDesk}
                  hint={t.nameOfDeskHint}
                  isRequired
                  maxLength={255}
                  {...form.field('name')}
                />
                <div class="choices">
                  <ChoiceField<Locale>
                    label={t.deskLanguage}
                    hint={t.deskLanguageHint}
                    options={(Object.keys(languageNames) as Locale[]).map((value) => ({
                      value,
                      text: languageNames[value],
                    }))}
                    {...form.field('locale')}
                  />
                  <ChoiceField<string>
                    label={t.deskTimeZone}
                    options={zonesWith(found.data.time_zone).map((zone) => ({
                      value: zone,
                      text: zone.replaceAll('_', ' '),
                    }))}
                    {...form.field('time_zone')}
                  />
                </div>
                <ChoiceField
                  label={t.requireFactor}
                  hint={t.requireFactorHint}
                  options={secondFactorPolicies.map((value) => ({ value, text: policyTexts[value]() }))}
                  {...form.field('require_second_factor')}
                />
                <ChoiceField
                  label={t.agentReports}
                  hint={t.agentReportsHint}
                  options={agentReports.map((value) => ({ value, text: reportTexts[value]() }))}
                  {...form.field('agent_reports')}
                />
                <SwitchField label={t.pushContent} hint={t.pushContentHint} {...form.field('push_content')} />
                {form.isChanged && (
                  <EqualCommand words={['helpdesk', 'desk', 'update', ...changedFlags(form.base.data, form.values)]} />
                )}
              </>
            )}
          </SectionForm>
          <LastChange
            siteId={null}
            actions={['desk.updated']}
            targetId={null}
            fields={ownFields}
            version={found.etag}
          />
          <EqualCommand words={['helpdesk', 'desk', 'show']} />
        </>
      )}
      {can('own') && found !== null && <IssuerPart found={found} reload={reload} />}
    </>
  );
}

const policyTexts: Readonly<Record<Desk['require_second_factor'], () => string>> = {
  off: () => t.factorOfNoOne,
  managers: () => t.factorOfManagers,
  everyone: () => t.factorOfEveryone,
};

const reportTexts: Readonly<Record<AgentReports, () => string>> = {
  all: () => t.reportsOfAll,
  own: () => t.reportsOfOwn,
  off: () => t.reportsOfNoOne,
};

/** Browsers list no zone under an older name, nor plain UTC. */
const zonesWith = (zone: string) => [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();

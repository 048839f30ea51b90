// The sections of the settings, in their groups and order. Only those that the agent may see are shown. All are one file for browsers: many small ones would make the first view larger, which shares parts with each.

import type { ComponentType } from 'preact';
import { can } from '../session.ts';
import { CategoriesSection, PrioritiesSection } from './catalogue/categories.tsx';
import { CustomFieldsSection } from './catalogue/custom-fields.tsx';
import { PagesSection } from './customers-pages/pages-section.tsx';
import { DangerSection } from './danger/danger-section.tsx';
import { t as danger } from './danger/messages.ts';
import { SitesSection } from './danger/sites-section.tsx';
import { AuditSection } from './desk/audit-section.tsx';
import { DeskSection } from './desk/desk-section.tsx';
import { t as desk } from './desk/messages.ts';
import { NoticesSection } from './desk/notices-section.tsx';
import { PeopleSection } from './desk/people-section.tsx';
import { TeamsSection } from './desk/teams-section.tsx';
import { TokensSection } from './desk/tokens-section.tsx';
import { FirstStepsSection } from './first-steps/first-steps-section.tsx';
import { InboundSection } from './inbound/inbound-section.tsx';
import { MacrosSection } from './macros/macros-section.tsx';
import { t as ofMacros } from './macros/messages.ts';
import { MailAppsSection } from './mail-apps/mail-apps-section.tsx';
import { MailboxesSection } from './mailboxes/mailboxes-section.tsx';
import { t } from './messages.ts';
import { t as proof } from './proof/messages.ts';
import { RecordsSection } from './proof/records-section.tsx';
import { SpamSection } from './proof/spam-section.tsx';
import { TraceSection } from './proof/trace-section.tsx';
import { t as ofRules } from './rules/messages.ts';
import { RulesSection } from './rules/rules-section.tsx';
import { ListedSendersSection } from './senders/listed-senders-section.tsx';
import { type DeskSectionProps, openSite, type SectionProps } from './settings-route.ts';
import { GeneralSection } from './site/general-section.tsx';
import { t as ofSite } from './site/messages.ts';
import { SettingsFileSection } from './site/settings-file-section.tsx';
import { HoursSection } from './sla/hours-section.tsx';
import { t as sla } from './sla/messages.ts';
import { TargetsSection } from './sla/targets-section.tsx';
import { EnvironmentSection } from './system/environment-section.tsx';
import { t as ofSystem } from './system/messages.ts';
import { SystemSection } from './system/system-section.tsx';
import { WebhooksSection } from './webhooks/webhooks-section.tsx';
import { MailTemplatesSection } from './writing/mail-templates-section.tsx';
import { t as writing } from './writing/messages.ts';
import { SendersSection } from './writing/senders-section.tsx';

interface Section<Props> {
  id: string;
  title: () => string;
  isShown: () => boolean;
  Page: ComponentType<Props>;
}

/** Those of the system are for owners. */
type Group =
  | { name: 'site'; sections: readonly Section<SectionProps>[] }
  | { name: 'desk' | 'system'; sections: readonly Section<DeskSectionProps>[] };

const hasSite = () => openSite.value !== null;

export const groups: readonly Group[] = [
  {
    name: 'site',
    sections: [
      { id: 'general', title: () => ofSite.siteGeneral, isShown: hasSite, Page: GeneralSection },
      { id: 'mailboxes', title: () => t.mailboxes, isShown: hasSite, Page: MailboxesSection },
      { id: 'inbound', title: () => t.inboundMail, isShown: hasSite, Page: InboundSection },
      { id: 'mail-dns', title: () => proof.mailInDns, isShown: hasSite, Page: RecordsSection },
      { id: 'spam', title: () => proof.spamFilter, isShown: hasSite, Page: SpamSection },
      { id: 'writing', title: () => writing.sendersAndSignatures, isShown: hasSite, Page: SendersSection },
      { id: 'mail-templates', title: () => writing.mailTemplates, isShown: hasSite, Page: MailTemplatesSection },
      { id: 'senders', title: () => t.listedSenders, isShown: hasSite, Page: ListedSendersSection },
      { id: 'working-hours', title: () => sla.workingHours, isShown: hasSite, Page: HoursSection },
      { id: 'sla', title: () => sla.slaTargets, isShown: hasSite, Page: TargetsSection },
      { id: 'customers-pages', title: () => t.customersPages, isShown: hasSite, Page: PagesSection },
      { id: 'webhooks', title: () => t.webhooks, isShown: hasSite, Page: WebhooksSection },
      { id: 'categories', title: () => ofSite.categoriesTitle, isShown: hasSite, Page: CategoriesSection },
      { id: 'priorities', title: () => ofSite.prioritiesTitle, isShown: hasSite, Page: PrioritiesSection },
      { id: 'custom-fields', title: () => ofSite.customFieldsTitle, isShown: hasSite, Page: CustomFieldsSection },
      { id: 'rules', title: () => ofRules.rules, isShown: hasSite, Page: RulesSection },
      { id: 'macros', title: () => ofMacros.macrosTitle, isShown: hasSite, Page: MacrosSection },
      {
        id: 'settings-file',
        title: () => ofSite.settingsFile,
        isShown: () => hasSite() && can('manage'),
        Page: SettingsFileSection,
      },
      { id: 'danger', title: () => danger.danger, isShown: () => hasSite() && can('manage'), Page: DangerSection },
    ],
  },
  {
    name: 'desk',
    sections: [
      { id: 'first-steps', title: () => t.firstSteps, isShown: () => can('own'), Page: FirstStepsSection },
      { id: 'sites', title: () => danger.sitesOfDesk, isShown: () => can('own'), Page: SitesSection },
      { id: 'people', title: () => desk.people, isShown: () => can('manage'), Page: PeopleSection },
      { id: 'teams', title: () => desk.teams, isShown: () => can('manage'), Page: TeamsSection },
      { id: 'tokens', title: () => desk.tokens, isShown: () => can('manage'), Page: TokensSection },
      { id: 'sign-in', title: () => desk.deskSignIn, isShown: () => can('manage'), Page: DeskSection },
      { id: 'notifications', title: () => desk.deskNotices, isShown: () => can('manage'), Page: NoticesSection },
      { id: 'mail-apps', title: () => t.mailApps, isShown: () => can('manage'), Page: MailAppsSection },
      { id: 'mail-trace', title: () => proof.mailTrace, isShown: hasSite, Page: TraceSection },
      { id: 'audit', title: () => desk.audit, isShown: () => can('manage'), Page: AuditSection },
    ],
  },
  {
    name: 'system',
    sections: [
      { id: 'system', title: () => ofSystem.system, isShown: () => can('own'), Page: SystemSection },
      { id: 'environment', title: () => ofSystem.environment, isShown: () => can('own'), Page: EnvironmentSection },
    ],
  },
];

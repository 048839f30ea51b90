// The sections of the settings, in their groups and order. Only those that the agent may see are shown. All are one file for browsers: many small ones would make the first view larger, which shares parts with each.

import type { ComponentType } from 'preact';
import { can } from '../session.ts';
import { CategoriesSection, PrioritiesSection } from './catalogue/categories.tsx';
import { CustomFieldsSection } from './catalogue/custom-fields.tsx';
import { PagesSection } from './customers-pages/pages-section.tsx';
import { DangerSection } from './danger/danger-section.tsx';
import { t as danger } from './danger/messages.ts';
import { SitesSection } from './danger/sites-section.tsx';
import { AddressesSection } from './desk/addresses-section.tsx';
import { AuditSection } from './desk/audit-section.tsx';
import { BucketSection } from './desk/bucket-section.tsx';
import { DeskSection } from './desk/desk-section.tsx';
import { MailServerSection } from './desk/mail-server-section.tsx';
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
import { RecurringTicketsSection } from './rules/recurring-tickets-section.tsx';
import { RulesSection } from './rules/rules-section.tsx';
import { TimedRulesSection } from './rules/timed-rules-section.tsx';
import { TriggersSection } from './rules/triggers-section.tsx';
import { t as search } from './search-messages.ts';
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
  /** What else it sets, and what people may call it; separated by commas. */
  words: () => string;
  /** Otherwise like the others of its group. */
  isShown?: () => boolean;
  Page: ComponentType<Props>;
}

type Group = { isShown: () => boolean } & (
  | { name: 'site'; sections: readonly Section<SectionProps>[] }
  | { name: 'desk' | 'system'; sections: readonly Section<DeskSectionProps>[] }
);

const hasSite = () => openSite.value !== null;

export const groups: readonly Group[] = [
  {
    name: 'site',
    isShown: hasSite,
    sections: [
      { id: 'general', title: () => ofSite.siteGeneral, words: () => search.wordsGeneral, Page: GeneralSection },
      { id: 'mailboxes', title: () => t.mailboxes, words: () => search.wordsMailboxes, Page: MailboxesSection },
      { id: 'inbound', title: () => t.inboundMail, words: () => search.wordsInbound, Page: InboundSection },
      { id: 'mail-dns', title: () => proof.mailInDns, words: () => search.wordsMailDns, Page: RecordsSection },
      { id: 'spam', title: () => proof.spamFilter, words: () => search.wordsSpam, Page: SpamSection },
      {
        id: 'writing',
        title: () => writing.sendersAndSignatures,
        words: () => search.wordsSignatures,
        Page: SendersSection,
      },
      {
        id: 'mail-templates',
        title: () => writing.mailTemplates,
        words: () => search.wordsTemplates,
        Page: MailTemplatesSection,
      },
      { id: 'senders', title: () => t.listedSenders, words: () => search.wordsSenders, Page: ListedSendersSection },
      { id: 'working-hours', title: () => sla.workingHours, words: () => search.wordsWorkingHours, Page: HoursSection },
      { id: 'sla', title: () => sla.slaTargets, words: () => search.wordsSla, Page: TargetsSection },
      {
        id: 'customers-pages',
        title: () => t.customersPages,
        words: () => search.wordsCustomersPages,
        Page: PagesSection,
      },
      { id: 'webhooks', title: () => t.webhooks, words: () => search.wordsWebhooks, Page: WebhooksSection },
      {
        id: 'categories',
        title: () => ofSite.categoriesTitle,
        words: () => search.wordsCategories,
        Page: CategoriesSection,
      },
      {
        id: 'priorities',
        title: () => ofSite.prioritiesTitle,
        words: () => search.wordsPriorities,
        Page: PrioritiesSection,
      },
      {
        id: 'custom-fields',
        title: () => ofSite.customFieldsTitle,
        words: () => search.wordsFields,
        Page: CustomFieldsSection,
      },
      { id: 'rules', title: () => ofRules.rules, words: () => search.wordsRules, Page: RulesSection },
      { id: 'triggers', title: () => ofRules.triggers, words: () => search.wordsTriggers, Page: TriggersSection },
      {
        id: 'timed-rules',
        title: () => ofRules.timedRules,
        words: () => search.wordsTimedRules,
        Page: TimedRulesSection,
      },
      {
        id: 'recurring-tickets',
        title: () => ofRules.recurringTickets,
        words: () => search.wordsRecurring,
        Page: RecurringTicketsSection,
      },
      { id: 'macros', title: () => ofMacros.macrosTitle, words: () => search.wordsMacros, Page: MacrosSection },
      {
        id: 'settings-file',
        title: () => ofSite.settingsFile,
        words: () => search.wordsSettingsFile,
        isShown: () => hasSite() && can('manage'),
        Page: SettingsFileSection,
      },
      {
        id: 'danger',
        title: () => danger.danger,
        words: () => search.wordsDanger,
        isShown: () => hasSite() && can('manage'),
        Page: DangerSection,
      },
    ],
  },
  {
    name: 'desk',
    isShown: () => can('manage'),
    sections: [
      {
        id: 'first-steps',
        title: () => t.firstSteps,
        words: () => search.wordsFirstSteps,
        isShown: () => can('own'),
        Page: FirstStepsSection,
      },
      {
        id: 'sites',
        title: () => danger.sitesOfDesk,
        words: () => search.wordsSites,
        isShown: () => can('own'),
        Page: SitesSection,
      },
      { id: 'people', title: () => desk.people, words: () => search.wordsPeople, Page: PeopleSection },
      { id: 'teams', title: () => desk.teams, words: () => search.wordsTeams, Page: TeamsSection },
      { id: 'tokens', title: () => desk.tokens, words: () => search.wordsTokens, Page: TokensSection },
      { id: 'sign-in', title: () => desk.deskSignIn, words: () => search.wordsSignIn, Page: DeskSection },
      {
        id: 'addresses',
        title: () => desk.addresses,
        words: () => search.wordsAddresses,
        isShown: () => can('own'),
        Page: AddressesSection,
      },
      {
        id: 'mail-server',
        title: () => desk.mailServer,
        words: () => search.wordsMailServer,
        isShown: () => can('own'),
        Page: MailServerSection,
      },
      {
        id: 'bucket',
        title: () => desk.bucket,
        words: () => search.wordsBucket,
        isShown: () => can('own'),
        Page: BucketSection,
      },
      { id: 'notifications', title: () => desk.deskNotices, words: () => search.wordsNotices, Page: NoticesSection },
      { id: 'mail-apps', title: () => t.mailApps, words: () => search.wordsMailApps, Page: MailAppsSection },
      {
        id: 'mail-trace',
        title: () => proof.mailTrace,
        words: () => search.wordsMailTrace,
        isShown: hasSite,
        Page: TraceSection,
      },
      { id: 'audit', title: () => desk.audit, words: () => search.wordsAudit, Page: AuditSection },
    ],
  },
  {
    name: 'system',
    isShown: () => can('own'),
    sections: [
      { id: 'system', title: () => ofSystem.system, words: () => search.wordsSystem, Page: SystemSection },
      {
        id: 'environment',
        title: () => ofSystem.environment,
        words: () => search.wordsEnvironment,
        Page: EnvironmentSection,
      },
    ],
  },
];

/** Without what the agent cannot see. */
export const shownGroups = () =>
  groups.map(({ name, isShown: isGroupShown, sections }) => ({
    name,
    sections: sections.filter(({ isShown = isGroupShown }) => isShown()),
  }));

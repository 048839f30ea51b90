// The search in the settings: other words for each section, separated by commas, in Dutch.

import type { Search } from '../en/settings-search.ts';

export const messages: Search = {
  findSetting: 'Zoek een instelling',
  noSettingFound: 'Geen instelling gevonden. Probeer een ander woord.',

  wordsGeneral:
    'naam, slug, taal, automatisch sluiten, heropenen, bijlagen, bestandstypen, antwoorden per mail, automatisch antwoord, virusscanner, bestandsgrootte, tickets sluiten',
  wordsMailboxes: 'IMAP, SMTP, Gmail, Outlook, Microsoft 365, e-mailaccount, wachtwoord, koppelen, postvak',
  wordsMailDns: 'SPF, DKIM, DMARC, DNS, records, in spam beland',
  wordsSpam: 'rspamd, ongewenste mail, score, mail vasthouden',
  wordsSenders: 'blokkeren, blokkeerlijst, toestaan, domein',
  wordsFirstSteps: 'installatie, beginnen, site aanmaken, testmail',
  wordsPeople:
    'gebruikers, collega’s, team, uitnodigen, rollen, eigenaar, beheerder, leden, medewerkers, rechten, account verwijderen',
  wordsTeams: 'groepen, afdelingen, leden, toewijzing, beurt',
  wordsTokens: 'API, API-sleutel, toegang, rechten, programma, API key',
  wordsAddresses: 'URL, link, domein, antwoordadres, inkomend, host',
  wordsBucket: 'S3, objectopslag, bijlagen, schijf, MinIO',
  wordsMailServer: 'SMTP, verzenden, uitnodigingen, afzenderadres',
  wordsMailApps: 'OAuth, Google, Microsoft, client-id, clientgeheim',
  wordsMailTrace: 'verdwenen mail, Message-ID, bezorging, waar is mijn mail, onbestelbaar, bounce, teruggekomen',
  wordsWorkingHours:
    'kantooruren, openingstijden, week, feestdagen, tijdzone, kalender, werktijden, werkdagen, bedrijfsuren',
  wordsWebhooks: 'koppelingen, gebeurtenissen, afleveringen, handtekening, HTTP',
  wordsSignIn:
    'tweede factor, 2FA, wachtwoord, OpenID, single sign-on, SSO, naam van de desk, rapporten over medewerkers',
  wordsNotices: 'meldingen, stille uren, push, geluid, dagelijkse mail, standaard, bel',
  wordsAudit: 'geschiedenis, wie wijzigde wat, CSV, beveiliging, logboek',
  wordsCategories: 'onderwerpen, soorten tickets, sorteren',
  wordsPriorities: 'urgent, belangrijk, volgorde',
  wordsMacros: 'standaardantwoorden, tekstblokken, sjablonen, plaatshouders, sjabloon',
  wordsFields: 'eigen velden, bestelnummer, formulier, verplicht',
  wordsRules: 'automatisering, filter, doorsturen, weggooien, automatisch toewijzen, volgorde, proberen',
  wordsTriggers:
    'automatisering, escalatie, gebeurtenissen, werkstroom, workflow, automatisch toewijzen, automatisch antwoord, escaleren',
  wordsTimedRules:
    'automatisering, escalatie, herinnering, automatisch sluiten, opvolgen, wacht te lang, planning, tijd sinds, escaleren, tickets sluiten',
  wordsRecurring: 'automatisering, planning, schema, cron, elke week, elke maand, herhalen, checklist, onderhoud',
  wordsSla: 'doelen, eerste antwoord, oplossing, deadline, te laat, termijn',
  wordsInbound: 'Mailgun, Postmark, SendGrid, SES, pipe, provider, inkomend adres',
  wordsCustomersPages:
    'merk, logo, kleur, formulier, portaal, links, insluiten, thema, contactformulier, widget, helpcentrum',
  wordsSignatures: 'afzenders, van-adres, antwoordadres, naam, voettekst',
  wordsTemplates:
    'ontvangstbevestiging, automatische mails, teksten, bevestiging, autoresponder, automatisch antwoord, sjabloon, voettekst, tevredenheidsenquête',
  wordsSystem:
    'gezondheid, doctor, back-up, herstellen, opslag, schijf, outbox, versie, cluster, omgeving, backup, virusscanner, wachtrij, logboek, upgrade, bijwerken',
  wordsEnvironment: 'instellingen van de omgeving, variabelen, HELPDESK_, configuratie',
  wordsSettingsFile: 'export, import, YAML, bestand, kopie, versiebeheer, Git',
  wordsDanger: 'site verwijderen, vernieuwen, sitetoken, geheim, site weghalen',
  wordsSites: 'site aanmaken, nieuwe winkel, merk, site toevoegen',
};

// The search in the settings: other words for each section, separated by commas, in German.

import type { Search } from '../en/settings-search.ts';

export const messages: Search = {
  findSetting: 'Einstellung suchen',
  noSettingFound: 'Keine Einstellung gefunden. Versuchen Sie ein anderes Wort.',

  wordsGeneral:
    'Name, Kurzname, Sprache, automatisch schließen, wieder öffnen, Anhänge, Dateitypen, Antworten per E-Mail, automatische Antwort, Virenscanner, Dateigröße, Tickets schließen',
  wordsMailboxes: 'IMAP, SMTP, Gmail, Outlook, Microsoft 365, E-Mail-Konto, Passwort, verbinden',
  wordsMailDns: 'SPF, DKIM, DMARC, DNS, Einträge, im Spam gelandet',
  wordsSpam: 'rspamd, Junk, Punkte, Mail zurückhalten',
  wordsSenders: 'sperren, Sperrliste, erlauben, Positivliste, Domain',
  wordsFirstSteps: 'Einrichtung, Start, Site anlegen, Test-E-Mail',
  wordsPeople:
    'Agents, Benutzer, Kollegen, Team, einladen, Rollen, Inhaber, Eigentümer, Admin, Mitglieder, Agenten, Rechte, Mitarbeiter, Konto löschen',
  wordsTeams: 'Gruppen, Abteilungen, Mitglieder, Zuweisung, Reihum',
  wordsTokens: 'API, API-Schlüssel, Zugriff, Rechte, Programm, Zugangsschlüssel, Bearer-Token',
  wordsAddresses: 'URL, Basis-URL, Link, Domain, Antwortadresse, Eingang, Hostname',
  wordsBucket: 'S3, Objektspeicher, Anhänge, Speicher, Platte, MinIO',
  wordsMailServer: 'SMTP, Versand, Einladungen, Absenderadresse',
  wordsMailApps: 'OAuth, Google, Microsoft, Client-ID, Client-Geheimnis',
  wordsMailTrace: 'verlorene Mail, Message-ID, Zustellung, wo ist meine E-Mail, unzustellbar, Bounce, zurückgekommen',
  wordsWorkingHours:
    'Bürozeiten, Öffnungszeiten, Woche, Feiertage, Zeitzone, Kalender, Geschäftszeiten, Arbeitstage, Wochenende',
  wordsWebhooks: 'Integrationen, Ereignisse, Zustellungen, Signatur, HTTP',
  wordsSignIn: 'zweiter Faktor, 2FA, Passwort, OpenID, Single Sign-on, SSO, Name des Desks, Berichte über Agenten',
  wordsNotices: 'Benachrichtigungen, Ruhezeiten, Push, Ton, Tagesmail, Vorgaben, Glocke',
  wordsAudit: 'Verlauf, wer hat was geändert, CSV, Sicherheit, Protokoll',
  wordsCategories: 'Themen, Arten von Tickets, sortieren',
  wordsPriorities: 'dringend, Wichtigkeit, Reihenfolge',
  wordsMacros: 'Textbausteine, Antwortvorlagen, Vorlagen, Platzhalter',
  wordsFields: 'eigene Felder, Bestellnummer, Formular, Pflichtfeld',
  wordsRules:
    'Automatisierung, Filter, weiterleiten, verwerfen, automatisch zuweisen, Reihenfolge, ausprobieren, Weiterleitung',
  wordsTriggers:
    'Automatisierung, Eskalation, Ereignisse, Ablauf, Workflow, automatisch zuweisen, automatische Antwort, eskalieren',
  wordsTimedRules:
    'Automatisierung, Eskalation, Erinnerung, automatisch schließen, nachfassen, wartet zu lange, Zeitplan, Zeit seit, eskalieren, Tickets schließen',
  wordsRecurring: 'Automatisierung, Zeitplan, cron, jede Woche, jeden Monat, wiederholen, Checkliste, geplant, Wartung',
  wordsSla: 'Ziele, erste Antwort, Lösung, fällig, Frist, Verletzung',
  wordsInbound: 'Mailgun, Postmark, SendGrid, SES, Pipe, Anbieter, Eingangsadresse',
  wordsCustomersPages:
    'Marke, Logo, Farbe, Formular, Portal, Links, einbetten, Design, Kontaktformular, Widget, Hilfeseite',
  wordsSignatures: 'Absender, Absenderadresse, Antwortadresse, Name, Unterschrift, Fußzeile',
  wordsTemplates:
    'Eingangsbestätigung, automatische E-Mails, Texte, Bestätigung, Autoresponder, automatische Antwort, Fußzeile, Zufriedenheitsumfrage, Umfrage',
  wordsSystem:
    'Zustand, Doctor, Sicherung, Wiederherstellung, Speicher, Platte, Outbox, Version, Cluster, Umgebung, Backup, Datensicherung, Virenscanner, Warteschlange, Protokoll, Logs, Upgrade, Aktualisierung',
  wordsEnvironment: 'Einstellungen der Umgebung, Variablen, HELPDESK_, Konfiguration',
  wordsSettingsFile: 'Export, Import, YAML, Datei, Kopie, Versionsverwaltung, Git',
  wordsDanger: 'Site löschen, entfernen, erneuern, Site-Token, Geheimnis, Site entfernen',
  wordsSites: 'Site anlegen, neuer Shop, Marke, Site hinzufügen',
};

// What the doctor finds, in German.

import type { FindingCode } from '../../../domain/findings.ts';

export const findings: Record<FindingCode, string> = {
  setting_invalid: 'Eine Einstellung ist ungültig',
  base_url_unset: 'Es ist keine Adresse des Desks gesetzt; Links enthalten daher die, auf der er lauscht',
  base_url_insecure: 'Die Adresse des Desks benutzt http ohne Verschlüsselung; Tokens gehen offen durch das Netz',
  mail_server_unset:
    'Es ist kein Mailserver eingerichtet; E-Mails, die durch kein Postfach hinausgehen, werden nur in Dateien geschrieben',
  commits_not_synced:
    'HELPDESK_SYNCHRONOUS ist niedriger als FULL; ein Stromausfall kann Änderungen kosten, die schon beantwortet waren',
  scanner_down: 'Der Virenscanner unter HELPDESK_CLAMAV antwortet nicht; Dateien werden nicht geprüft',
  spam_filter_down:
    'Der Spamfilter unter HELPDESK_RSPAMD_URL antwortet nicht; E-Mails werden ohne seine Wertung abgelegt',
  directory_open: 'Andere Benutzer können das Datenverzeichnis lesen',
  key_open: 'Andere Benutzer können secret.key lesen',
  file_open: 'Andere Benutzer können die Datenbank oder gespeicherte Dateien lesen',
  foreign_owner: 'Manche Dateien gehören einem anderen Benutzer oder sind nicht lesbar',
  file_misplaced:
    'Wo der Desk eine Datei oder ein Verzeichnis hat, liegt etwas anderes oder etwas, das er nicht lesen kann; sonst wurde nichts geprüft',
  disk_low: 'Die Platte ist fast voll',
  disk_filling: 'Mehr als neun Zehntel der Platte sind belegt',
  backup_missing: 'Es gibt noch keine Sicherung mit `helpdesk backup`',
  backup_old: 'Die letzte Sicherung ist mehr als eine Woche alt',
  snapshot_damaged: 'Ein Snapshot ist nicht lesbar; entfernen Sie ihn, ein laufender Desk macht einen neuen',
  log_damaged:
    'Aufbewahrte Logs sind beschädigt: `restore --at` kommt nicht über sie hinaus, und eine einfache Kopie kann sie nicht benutzen; ein laufender Desk macht neue Snapshots, danach werden sie nicht mehr gebraucht',
  log_missing:
    'Aufbewahrte Logs fehlen: einer einfachen Kopie fehlt, was in ihnen war, bis ein laufender Desk seinen nächsten Snapshot gemacht hat',
  erasures_damaged:
    'Die Liste der gelöschten Personen ist beschädigt; eine Wiederherstellung könnte Personen zurückbringen',
  erasures_incomplete:
    'In der Liste der gelöschten Personen fehlen einige, die in der Datenbank gelöscht sind; der nächste Start trägt sie ein. Bis dahin bleiben sie nur bei einer Wiederherstellung gelöscht, die diese Datenbank lesen kann',
  history_damaged: 'Manche bestätigten Änderungen fehlen',
  log_unproven: 'Das Log, das helpdesk.db braucht, ist nicht in wal/: bestätigte Änderungen können fehlen',
  log_apart: 'Das Write-Ahead-Log wird beim nächsten Start repariert',
  database_replaced: 'helpdesk.db wurde ersetzt oder geändert, während kein Desk lief',
  database_missing: 'helpdesk.db fehlt; stellen Sie die Datei aus einer Sicherung wieder her',
  database_unreadable: 'Die Datenbank ist nicht lesbar; stellen Sie sie aus einer Sicherung wieder her',
  database_not_copied: 'LiteFS hat die Datenbank dieser Maschine nicht herausgegeben; sie wurde nicht geprüft',
  database_no_room: 'Die Datenbank lässt sich nicht öffnen, weil ihre Platte voll ist; schaffen Sie Platz',
  database_damaged: 'Die Datenbank ist beschädigt; stellen Sie sie aus einer Sicherung wieder her',
  copy_unopened:
    'Dies ist eine Kopie, die noch kein Desk geöffnet hat; starten Sie einen Desk damit, er vervollständigt sie, und prüfen Sie dann noch einmal',
  reference_broken: 'Zeilen verweisen auf Zeilen, die es nicht gibt',
  row_unreadable: 'Zeilen sind nicht lesbar; stellen Sie sie aus einer Sicherung wieder her',
  schema_refused: 'Dieses Programm kann mit dem Schema nicht arbeiten',
  schema_behind: 'Das Schema ist älter als dieses Programm; der nächste Start bringt es auf den Stand',
  key_missing: 'secret.key fehlt; legen Sie die Datei zurück oder setzen Sie HELPDESK_SECRET_KEY',
  key_damaged: 'secret.key ist beschädigt; stellen Sie die Datei aus einer Sicherung wieder her',
  key_foreign: 'Der Schlüssel entschlüsselt die gespeicherten Geheimnisse nicht; legen Sie den dieses Desks zurück',
  index_damaged: 'Der Volltextindex ist beschädigt',
  document_missing: 'Die Suche findet manche Tickets oder Autoren nicht',
  document_orphaned: 'Die Suche findet Tickets oder Autoren, die es nicht mehr gibt',
  totals_differ: 'Die gespeicherten Summen der Tickets stimmen nicht',
  message_count_differs: 'Die gespeicherte Zahl der Nachrichten von Tickets stimmt nicht',
  priority_level_differs: 'Tickets haben eine andere Stufe als ihre Priorität',
  report_facts_differ: 'Was Berichte von Tickets zählen, ist nicht das, was ihre Historie sagt',
  ticket_set_aside:
    'Ein wiederkehrender Vorgang scheitert an Tickets und lässt sie jeweils für eine Stunde aus; der Fehler steht im Log',
  site_being_removed: 'Zeilen einer entfernten Site werden noch gelöscht; ein laufender Desk macht damit weiter',
  tags_differ: 'Tickets werden unter Tags gefunden, die sie nicht haben, oder nicht unter denen, die sie haben',
  clock_jumped: 'Die Uhr der Maschine ist um mehr als eine Stunde gesprungen, während der Desk lief',
  event_ahead: 'Ereignisse liegen in der Zukunft: die Uhr ging oder geht falsch',
  event_backwards: 'Zwischen zwei Ereignissen eines Tickets ging die Uhr um mehr als eine Minute zurück',
  attachment_missing: 'Dateien von Anhängen fehlen; stellen Sie sie aus einer Sicherung wieder her',
  attachment_damaged:
    'Dateien haben sich verändert, seit sie gespeichert wurden; stellen Sie sie aus einer Sicherung wieder her',
  store_unreachable:
    'Der Dateispeicher antwortet nicht, seine Dateien wurden nicht geprüft; prüfen Sie den Bucket und seinen Schlüssel',
  file_elsewhere:
    'Dateien liegen nicht auf dieser Maschine und wurden nicht geprüft: ohne Bucket liegt jede auf der Maschine, die bei ihrer Ankunft die erste war',
  folder_foreign:
    'Ordner des Buckets gehören einer anderen Kopie dieses Desks, oder diesem Desk, bevor er wiederhergestellt oder umgezogen wurde: er liest ihre Dateien und entfernt keine, auch nicht die von gelöschten Personen',
  file_unchecked: 'Dateien warten seit mehr als einer Stunde auf den Virenscanner',
  file_infected: 'Dateien sind infiziert; niemand kann sie herunterladen',
  file_orphaned: 'Dateien gehören zu keinem Ticket und zu keiner E-Mail',
  rules_too_slow:
    'In der letzten Woche haben Eingangsregeln bei einer Nachricht zu lange gebraucht, sodass spätere ausfielen; vereinfachen oder entfernen Sie reguläre Ausdrücke',
  automation_skipped:
    'In der letzten Woche haben Trigger oder Zeitregeln eine Grenze erreicht, waren zu langsam oder konnten nicht alles tun; die Historie der Tickets sagt, warum',
  rules_over_limit:
    'Sites haben mehr oder größere Eingangsregeln, als heute erlaubt sind; sie laufen weiter, innerhalb der Zeit für eine Nachricht',
  mailbox_refused:
    'Postfächer werden nicht gelesen, weil ihr Server das Passwort dreimal abgelehnt hat; setzen Sie das neue',
  mailbox_failing: 'Postfächer lassen sich gerade nicht lesen; der Desk versucht es alle paar Minuten wieder',
  mailbox_consent_needed:
    'Postfächer werden nicht gelesen, weil ihr Anbieter keinen Zugang gibt; verbinden Sie sie neu, etwa mit `helpdesk mailbox connect`',
  sender_spf: 'SPF im DNS beweist E-Mails von Absendern nicht; `helpdesk sender check` sagt, was hinzuzufügen ist',
  sender_dkim: 'DKIM im DNS beweist E-Mails von Absendern nicht; `helpdesk sender check` sagt, was hinzuzufügen ist',
  sender_dmarc: 'DMARC im DNS schützt Absender nicht; `helpdesk sender check` sagt, was hinzuzufügen ist',
  mailbox_canary: 'E-Mails, die der Desk an Postfächer selbst sendet, kommen nicht zurück',
  mailbox_missing_mail: 'In Postfächern lagen E-Mails, die nicht zum Desk gekommen waren; sie wurden später geholt',
  mailbox_quiet: 'In Postfächern kommen weniger E-Mails an als sonst',
  mailbox_expired: 'Etwas, das Postfächer brauchen, ist abgelaufen',
  mailbox_expiring: 'Etwas, das Postfächer brauchen, läuft bald ab',
  mail_missing: 'Abgelegte E-Mails haben ihr Original verloren und können nicht noch einmal verarbeitet werden',
  mail_lost:
    'E-Mails, die noch in keinem Ticket sind, haben ihr Original verloren; stellen Sie es aus einer Sicherung wieder her, oder bitten Sie die Absender, noch einmal zu schreiben',
  mail_damaged:
    'Gespeicherte E-Mails haben sich verändert, seit sie ankamen; stellen Sie sie aus einer Sicherung wieder her',
};

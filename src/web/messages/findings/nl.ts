// What the doctor finds, in Dutch.

import type { FindingCode } from '../../../domain/findings.ts';

export const findings: Record<FindingCode, string> = {
  setting_invalid: 'Een instelling is ongeldig',
  base_url_unset: 'Er is geen adres van de desk ingesteld; links hebben dus het adres waarop hij luistert',
  base_url_insecure: 'Het adres van de desk gebruikt http zonder versleuteling; tokens gaan open over het netwerk',
  mail_server_unset:
    'Er is geen mailserver ingesteld; mail die door geen mailbox weggaat, wordt alleen in bestanden geschreven',
  commits_not_synced:
    'HELPDESK_SYNCHRONOUS is lager dan FULL; bij een stroomstoring kunnen wijzigingen verloren gaan die al waren bevestigd',
  scanner_down: 'De virusscanner van HELPDESK_CLAMAV antwoordt niet; bestanden worden niet gecontroleerd',
  spam_filter_down: 'Het spamfilter van HELPDESK_RSPAMD_URL antwoordt niet; mail wordt zonder zijn score opgeslagen',
  directory_open: 'Andere gebruikers kunnen de datamap lezen',
  key_open: 'Andere gebruikers kunnen secret.key lezen',
  file_open: 'Andere gebruikers kunnen de database of bewaarde bestanden lezen',
  foreign_owner: 'Sommige bestanden zijn van een andere gebruiker of zijn niet leesbaar',
  file_misplaced:
    'Waar de desk een bestand of map heeft, staat iets anders, of de desk kan het niet lezen; verder is niets gecontroleerd',
  disk_low: 'De schijf is bijna vol',
  disk_filling: 'Meer dan negen tiende van de schijf is in gebruik',
  backup_missing: 'Er is nog geen back-up gemaakt met `helpdesk backup`',
  backup_old: 'De laatste back-up is meer dan een week oud',
  snapshot_damaged: 'Een snapshot is niet leesbaar; verwijder hem, een draaiende desk maakt een nieuwe',
  log_damaged:
    'Bewaarde logs zijn beschadigd: `restore --at` komt er niet voorbij, en een gewone kopie kan ze niet gebruiken; een draaiende desk maakt nieuwe snapshots, daarna zijn ze niet meer nodig',
  log_missing:
    'Bewaarde logs ontbreken: een gewone kopie mist wat erin stond, tot een draaiende desk de volgende snapshot heeft gemaakt',
  erasures_damaged: 'De lijst van gewiste personen is beschadigd; een herstel kan personen terugbrengen',
  erasures_incomplete:
    'In de lijst van gewiste personen ontbreken personen die in de database zijn gewist; de volgende start noteert ze. Tot dan blijven ze alleen gewist bij een herstel dat deze database kan lezen',
  history_damaged: 'Sommige bevestigde wijzigingen ontbreken',
  log_unproven: 'Het logboek dat helpdesk.db nodig heeft, staat niet in wal/: bevestigde wijzigingen kunnen ontbreken',
  log_apart: 'Het schrijflogboek wordt bij de volgende start hersteld',
  database_replaced: 'helpdesk.db is vervangen of gewijzigd terwijl er geen desk draaide',
  database_missing: 'helpdesk.db ontbreekt; herstel het uit een back-up',
  database_unreadable: 'De database is niet leesbaar; herstel die uit een back-up',
  database_not_copied: 'LiteFS gaf de database van deze machine niet vrij; die is niet gecontroleerd',
  database_no_room: 'De database kan niet worden geopend, omdat de schijf vol is; maak ruimte vrij',
  database_damaged: 'De database is beschadigd; herstel die uit een back-up',
  copy_unopened:
    'Dit is een kopie die nog geen desk heeft geopend; start er een desk op, die maakt haar compleet, en controleer dan opnieuw',
  reference_broken: 'Rijen verwijzen naar rijen die niet bestaan',
  row_unreadable: 'Rijen zijn niet leesbaar; herstel ze uit een back-up',
  schema_refused: 'Dit programma kan niet met het schema werken',
  schema_behind: 'Het schema is ouder dan dit programma; de volgende start werkt het bij',
  key_missing: 'secret.key ontbreekt; zet het terug of stel HELPDESK_SECRET_KEY in',
  key_damaged: 'secret.key is beschadigd; herstel het uit een back-up',
  key_foreign: 'De sleutel ontsleutelt de bewaarde geheimen niet; zet de sleutel van deze desk terug',
  index_damaged: 'De volledige-tekstindex is beschadigd',
  document_missing: 'Zoeken vindt sommige tickets of auteurs niet',
  document_orphaned: 'Zoeken vindt tickets of auteurs die niet meer bestaan',
  totals_differ: 'De bewaarde totalen van tickets kloppen niet',
  message_count_differs: 'Het bewaarde aantal berichten van tickets klopt niet',
  priority_level_differs: 'Tickets hebben een ander niveau dan hun prioriteit',
  report_facts_differ: 'Wat rapporten van tickets tellen, is niet wat hun geschiedenis zegt',
  ticket_set_aside:
    'Een terugkerende taak mislukt op tickets en slaat ze steeds een uur over; de fout staat in het log',
  site_being_removed: 'Rijen van een verwijderde site worden nog gewist; een draaiende desk gaat daarmee verder',
  tags_differ: 'Tickets worden gevonden met tags die ze niet hebben, of niet met de tags die ze hebben',
  clock_jumped: 'De klok van de machine sprong meer dan een uur terwijl de desk draaide',
  event_ahead: 'Gebeurtenissen liggen in de toekomst: de klok liep of loopt verkeerd',
  event_backwards: 'Tussen twee gebeurtenissen van een ticket ging de klok meer dan een minuut terug',
  attachment_missing: 'Bestanden van bijlagen ontbreken; herstel ze uit een back-up',
  attachment_damaged: 'Bestanden zijn veranderd sinds ze werden bewaard; herstel ze uit een back-up',
  store_unreachable:
    'De opslag van bestanden antwoordt niet, dus zijn bestanden zijn niet gecontroleerd; controleer de bucket en zijn sleutel',
  file_elsewhere:
    'Bestanden staan niet op deze machine en zijn niet gecontroleerd: zonder bucket staat elk bestand op de machine die primair was toen het kwam',
  folder_foreign:
    'Mappen van de bucket zijn van een andere kopie van deze desk, of van deze desk voordat hij werd hersteld of verhuisd: hij leest hun bestanden en verwijdert er geen, ook niet van gewiste personen',
  file_unchecked: 'Bestanden wachten al meer dan een uur op de virusscanner',
  file_infected: 'Bestanden zijn besmet; niemand kan ze downloaden',
  file_orphaned: 'Bestanden horen bij geen ticket en geen mail',
  rules_too_slow:
    'In de afgelopen week duurden regels voor inkomende mail te lang bij een bericht, zodat latere regels zijn overgeslagen; vereenvoudig of verwijder reguliere expressies',
  automation_skipped:
    'In de afgelopen week bereikten triggers of tijdregels een grens, waren ze te traag of konden ze niet alles doen; de geschiedenis van hun tickets zegt waarom',
  rules_over_limit:
    'Sites hebben meer of grotere regels voor inkomende mail dan nu is toegestaan; ze draaien nog, binnen de tijd voor een bericht',
  mailbox_refused:
    'Mailboxen worden niet gelezen, omdat hun server het wachtwoord drie keer heeft geweigerd; stel het nieuwe in',
  mailbox_failing: 'Mailboxen kunnen nu niet worden gelezen; de desk probeert het om de paar minuten opnieuw',
  mailbox_consent_needed:
    'Mailboxen worden niet gelezen, omdat hun aanbieder geen toegang geeft; verbind ze opnieuw, bijvoorbeeld met `helpdesk mailbox connect`',
  sender_spf: 'SPF in DNS bewijst mail van afzenders niet; `helpdesk sender check` zegt wat er nodig is',
  sender_dkim: 'DKIM in DNS bewijst mail van afzenders niet; `helpdesk sender check` zegt wat er nodig is',
  sender_dmarc: 'DMARC in DNS beschermt afzenders niet; `helpdesk sender check` zegt wat er nodig is',
  mailbox_canary: 'Mail die de desk naar mailboxen zelf stuurt, komt niet terug',
  mailbox_missing_mail: 'In mailboxen stond mail die niet bij de desk was gekomen; die is later opgehaald',
  mailbox_quiet: 'Er komt minder mail dan anders bij mailboxen binnen',
  mailbox_expired: 'Iets wat mailboxen nodig hebben, is verlopen',
  mailbox_expiring: 'Iets wat mailboxen nodig hebben, verloopt binnenkort',
  mail_missing: 'Mail die is opgeslagen, is zijn origineel kwijt en kan niet opnieuw worden verwerkt',
  mail_lost:
    'Mail die nog in geen ticket staat, is zijn origineel kwijt; herstel het uit een back-up, of vraag de afzenders het opnieuw te sturen',
  mail_damaged: 'Bewaarde mail is veranderd sinds die binnenkwam; herstel die uit een back-up',
};

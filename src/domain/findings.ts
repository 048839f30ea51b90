// The findings of the doctor: how serious each is, what it means, and whether --fix repairs it or which command helps.

// What is run where the desk runs.
const restore = 'helpdesk restore desk.tar.zst';
const backUp = 'helpdesk backup desk.tar.zst';
const start = 'helpdesk serve';

export const findingKinds = {
  setting_invalid: ['settings', 'wrong', 'A setting is invalid'],
  base_url_unset: ['settings', 'notice', 'No address of the desk is set, so links contain the one that it listens on'],
  base_url_insecure: [
    'settings',
    'notice',
    'The address of the desk uses plain http, so tokens cross the network unencrypted',
  ],
  mail_server_unset: [
    'settings',
    'notice',
    'No mail server is set, so mail that leaves through no mailbox is only written to files',
  ],
  commits_not_synced: [
    'settings',
    'notice',
    'HELPDESK_SYNCHRONOUS is below FULL, so a power cut can lose writes that were already answered',
  ],
  scanner_down: ['settings', 'wrong', 'The virus scanner at HELPDESK_CLAMAV does not answer, so files are not checked'],
  spam_filter_down: [
    'settings',
    'wrong',
    'The spam filter at HELPDESK_RSPAMD_URL does not answer, so mail is filed without its score',
  ],
  directory_open: ['permissions', 'wrong', 'Other users can read the data directory', 'fix'],
  key_open: ['permissions', 'wrong', 'Other users can read secret.key', 'fix'],
  file_open: ['permissions', 'wrong', 'Other users can read the database or stored files', 'fix'],
  foreign_owner: ['permissions', 'wrong', 'Some files belong to another user or cannot be read'],
  file_misplaced: [
    'permissions',
    'wrong',
    'Something else is where the desk keeps a file or a directory, or the desk cannot read it; nothing else was checked',
  ],
  disk_low: ['disk', 'wrong', 'The disk is nearly full'],
  disk_filling: ['disk', 'notice', 'More than nine tenths of the disk are used'],
  backup_missing: ['backups', 'notice', 'No backup has been made yet with `helpdesk backup`', backUp],
  backup_old: ['backups', 'notice', 'The last backup is more than a week old', backUp],
  snapshot_damaged: ['backups', 'wrong', 'A snapshot cannot be read; remove it, and a running desk will take another'],
  log_damaged: [
    'backups',
    'wrong',
    'Kept logs are damaged: `restore --at` cannot go past them, and a plain copy cannot use them; a running desk takes new snapshots, after which they are not needed',
  ],
  log_missing: [
    'backups',
    'wrong',
    'Kept logs are missing: a plain copy lacks what they had until a running desk has taken its next snapshot',
  ],
  erasures_damaged: ['backups', 'wrong', 'The list of erased people is damaged, so a restore could bring people back'],
  erasures_incomplete: [
    'backups',
    'wrong',
    'The list of erased people lacks people whom the database has erased; the next start notes them. Until then, only a restore that can read this database keeps them erased',
    start,
  ],
  history_damaged: ['database', 'wrong', 'Some committed changes are missing', restore],
  log_unproven: [
    'database',
    'wrong',
    'The log that helpdesk.db needs is not in wal/, so committed changes may be missing',
    restore,
  ],
  log_apart: ['database', 'notice', 'The write-ahead log will be repaired at the next start', start],
  database_replaced: ['database', 'notice', 'helpdesk.db was replaced or changed while no desk ran'],
  database_missing: ['database', 'wrong', 'helpdesk.db is missing; restore it from a backup', restore],
  database_unreadable: ['database', 'wrong', 'The database cannot be read; restore it from a backup', restore],
  database_not_copied: [
    'database',
    'wrong',
    'LiteFS did not hand out the database of this machine, so it was not checked',
  ],
  database_no_room: ['database', 'wrong', 'The database cannot be opened, because its disk is full; free some space'],
  database_damaged: ['database', 'wrong', 'The database is damaged; restore it from a backup', restore],
  copy_unopened: [
    'database',
    'notice',
    'This is a copy that no desk has opened yet; start a desk on it, which completes it, and run this again',
    start,
  ],
  reference_broken: ['database', 'wrong', 'Rows refer to rows that do not exist'],
  row_unreadable: ['database', 'wrong', 'Rows cannot be read; restore them from a backup', restore],
  schema_refused: ['schema', 'wrong', 'This executable cannot work with the schema'],
  schema_behind: ['schema', 'notice', 'The schema is older than this executable; the next start upgrades it', start],
  key_missing: ['secrets', 'wrong', 'secret.key is missing; put it back or set HELPDESK_SECRET_KEY'],
  key_damaged: ['secrets', 'wrong', 'secret.key is damaged; restore it from a backup', restore],
  key_foreign: ['secrets', 'wrong', 'The key does not decrypt the stored secrets; put back the key of this desk'],
  index_damaged: ['index', 'wrong', 'The full-text index is damaged', 'fix'],
  document_missing: ['index', 'wrong', 'Search does not find some tickets or authors', 'fix'],
  document_orphaned: ['index', 'wrong', 'Search finds tickets or authors that no longer exist', 'fix'],
  totals_differ: ['counters', 'wrong', 'The stored totals of tickets are wrong', 'fix'],
  message_count_differs: ['counters', 'wrong', 'The stored number of messages of tickets is wrong', 'fix'],
  priority_level_differs: ['counters', 'wrong', 'Tickets have a different level than their priority', 'fix'],
  report_facts_differ: ['counters', 'wrong', 'What reports count of tickets is not what their history says', 'fix'],
  ticket_set_aside: [
    'tickets',
    'wrong',
    'A recurring job fails on tickets and skips them for an hour at a time; the log has the error',
  ],
  site_being_removed: [
    'tickets',
    'notice',
    'Rows of a removed site are still being deleted; a running desk continues with that',
  ],
  tags_differ: [
    'counters',
    'wrong',
    'Tickets are found by tags that they do not have, or not by those they have',
    'fix',
  ],
  clock_jumped: ['clock', 'notice', "The machine's clock jumped by more than an hour while the desk ran"],
  event_ahead: ['clock', 'wrong', 'Events are in the future: the clock was, or is, wrong'],
  event_backwards: ['clock', 'notice', 'The clock went back by more than a minute between two events of a ticket'],
  attachment_missing: ['attachments', 'wrong', 'Files of attachments are missing; restore them from a backup', restore],
  attachment_damaged: [
    'attachments',
    'wrong',
    'Files have changed since they were stored; restore them from a backup',
    restore,
  ],
  store_unreachable: [
    'attachments',
    'wrong',
    'The file store did not answer, so its files were not checked; check the bucket and its key',
  ],
  file_elsewhere: [
    'attachments',
    'notice',
    'Files are not on this machine and were not checked: without a bucket, each is on the machine that was primary when it came',
  ],
  folder_foreign: [
    'attachments',
    'notice',
    'Folders of the bucket belong to another copy of this desk, or to this desk before it was restored or moved: it reads their files and removes none, also not of people who were erased',
  ],
  file_unchecked: ['attachments', 'notice', 'Files have waited for the virus scanner for more than an hour'],
  file_infected: ['attachments', 'notice', 'Files are infected; no one can download them'],
  file_orphaned: ['attachments', 'notice', 'Files belong to no ticket and no mail', 'fix'],
  rules_too_slow: [
    'mail',
    'notice',
    'In the last week, inbound rules took too long on a message, so later rules were skipped; simplify or remove regular expressions',
  ],
  automation_skipped: [
    'database',
    'notice',
    'In the last week, triggers or timed rules reached a limit, were too slow, or could not do all they should; the history of their tickets says why',
  ],
  rules_over_limit: [
    'mail',
    'notice',
    'Sites have more or larger inbound rules than the limits allow today; they still run, within the time limit for a message',
  ],
  mailbox_refused: [
    'mail',
    'wrong',
    'Mailboxes are not read, because their server refused the password three times; set the new one',
  ],
  mailbox_failing: ['mail', 'wrong', 'Mailboxes cannot be read now; the desk tries again every few minutes'],
  mailbox_consent_needed: [
    'mail',
    'wrong',
    'Mailboxes are not read, because their provider gives no access; connect them again with `helpdesk mailbox connect`',
  ],
  sender_spf: ['mail', 'notice', 'SPF in DNS does not prove mail of senders; `helpdesk sender check` says what to add'],
  sender_dkim: [
    'mail',
    'notice',
    'DKIM in DNS does not prove mail of senders; `helpdesk sender check` says what to add',
  ],
  sender_dmarc: ['mail', 'notice', 'DMARC in DNS does not protect senders; `helpdesk sender check` says what to add'],
  mailbox_canary: ['mail', 'wrong', 'Mail that the desk sends to mailboxes themselves does not come back'],
  mailbox_missing_mail: ['mail', 'notice', 'Mail was in mailboxes and had not come to the desk; it was fetched later'],
  mailbox_quiet: ['mail', 'notice', 'Less mail than usual comes to mailboxes'],
  mailbox_expired: ['mail', 'wrong', 'What mailboxes need has ended'],
  mailbox_expiring: ['mail', 'notice', 'What mailboxes need ends soon'],
  mail_missing: ['mail', 'notice', 'Mail that was filed has lost its stored request and cannot be replayed'],
  mail_lost: [
    'mail',
    'wrong',
    'Mail that is in no ticket yet has lost its stored request; restore it from a backup, or ask its senders to send it again',
    restore,
  ],
  mail_damaged: ['mail', 'wrong', 'Stored mail has changed since it was received; restore it from a backup', restore],
} as const satisfies Record<string, Kind>;

export type Kind = readonly [
  area: string,
  level: 'wrong' | 'notice',
  meaning: string,
  remedy?: 'fix' | `helpdesk ${string}`,
];
export type FindingCode = keyof typeof findingKinds;

/** What --fix repairs, also while a desk runs. */
export const fixable = (Object.keys(findingKinds) as FindingCode[]).filter(
  (code) => (findingKinds[code] as Kind)[3] === 'fix',
);

export const areas = [...new Set(Object.values(findingKinds).map(([area]) => area))];

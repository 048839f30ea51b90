// What the doctor can find, by name: how bad it is, what it means, and whether --fix mends it.

export const findingKinds = {
  setting_invalid: ['settings', 'wrong', 'A setting does not fit'],
  base_url_unset: [
    'settings',
    'notice',
    'HELPDESK_BASE_URL is not set, so links lead to the address that it listens on',
  ],
  base_url_insecure: ['settings', 'notice', 'HELPDESK_BASE_URL is plain http, so tokens cross the network readable'],
  mail_server_unset: [
    'settings',
    'notice',
    'HELPDESK_SMTP_URL is not set, so mail is written to files and reaches nobody',
  ],
  commits_not_synced: [
    'settings',
    'notice',
    'HELPDESK_SYNCHRONOUS is below FULL, so a power cut can lose answered writes',
  ],
  directory_open: ['permissions', 'wrong', 'Others may look into the data directory', 'fix'],
  key_open: ['permissions', 'wrong', 'Others may read secret.key', 'fix'],
  file_open: ['permissions', 'wrong', 'Others may read the database or stored files', 'fix'],
  foreign_owner: ['permissions', 'wrong', 'Something belongs to another user than the one who asks, or cannot be read'],
  disk_low: ['disk', 'wrong', 'The disk is nearly full'],
  backup_missing: ['backups', 'notice', 'No backup was made yet with `helpdesk backup`'],
  backup_old: ['backups', 'notice', 'The last backup is more than a week old'],
  snapshot_damaged: ['backups', 'wrong', 'A snapshot cannot be read; remove it, and a running desk takes another'],
  history_damaged: ['database', 'wrong', 'What had been committed is not all there'],
  log_apart: ['database', 'notice', 'The write-ahead log is put right at the next start'],
  database_missing: ['database', 'wrong', 'helpdesk.db is not there; put back the one from a backup'],
  database_unreadable: ['database', 'wrong', 'The database cannot be read; put back the one from a backup'],
  database_no_room: ['database', 'wrong', 'The database cannot be opened, since its disk is full; free some room'],
  database_damaged: ['database', 'wrong', 'The database is damaged; put back the one from a backup'],
  copy_unopened: [
    'database',
    'notice',
    'This is a copy that no desk has opened yet: start one, which makes it whole, and look again',
  ],
  reference_broken: ['database', 'wrong', 'Rows name rows that are not there'],
  row_unreadable: ['database', 'wrong', 'Rows hold what cannot be read; put them back from a backup'],
  schema_refused: ['schema', 'wrong', 'The schema is not one that this executable can work with'],
  schema_behind: ['schema', 'notice', 'The schema is older than this executable; the next start brings it up to date'],
  key_missing: ['secrets', 'wrong', 'secret.key is missing; put it back or set HELPDESK_SECRET_KEY'],
  key_damaged: ['secrets', 'wrong', 'secret.key is damaged; put back the one from a backup'],
  key_foreign: ['secrets', 'wrong', 'The key does not open what was sealed; put back the one of this desk'],
  index_damaged: ['index', 'wrong', 'The full-text index is damaged', 'fix'],
  document_missing: ['index', 'wrong', 'Search does not know of tickets or authors', 'fix'],
  document_orphaned: ['index', 'wrong', 'Search knows of tickets or authors that are no more', 'fix'],
  totals_differ: ['counters', 'wrong', 'Kept totals of tickets are not what counting gives', 'fix'],
  message_count_differs: ['counters', 'wrong', 'Tickets have another number of messages than they say', 'fix'],
  priority_level_differs: ['counters', 'wrong', 'Tickets are sorted by another level than their priority has', 'fix'],
  ticket_set_aside: [
    'tickets',
    'wrong',
    'Tickets make a recurring job fail and are left out of it for an hour at a time; the log has the error',
  ],
  site_being_removed: [
    'tickets',
    'notice',
    'Rows of a removed site are still being taken out; a running desk goes on with it',
  ],
  tags_differ: ['counters', 'wrong', 'Tickets are found by other tags than they show', 'fix'],
  clock_jumped: ['clock', 'notice', 'The clock of the machine jumped by more than an hour while the desk ran'],
  event_ahead: ['clock', 'wrong', 'Events lie in the future: the clock was, or is, wrong'],
  event_backwards: ['clock', 'notice', 'The clock went back by more than a minute between two events of a ticket'],
  attachment_missing: ['attachments', 'wrong', 'Attachments have no file; put it back from a backup'],
  attachment_damaged: ['attachments', 'wrong', 'Files are not what was stored; put them back from a backup'],
  store_unreachable: [
    'attachments',
    'wrong',
    'The file store did not answer, so its files were not checked; check HELPDESK_S3_* and the store',
  ],
  file_orphaned: ['attachments', 'notice', 'Files belong to nothing', 'fix'],
  rules_too_slow: [
    'mail',
    'notice',
    'Within the last week, inbound rules took longer than one message has, so later rules were skipped: simplify or remove regular expressions',
  ],
  rules_over_limit: [
    'mail',
    'notice',
    'Sites have more inbound rules, or costlier ones, than may be saved now: they still run, within the time that a message has',
  ],
  mail_missing: ['mail', 'notice', 'Mail in the ledger has lost its stored request and cannot be replayed'],
} as const satisfies Record<string, readonly [area: string, level: 'wrong' | 'notice', meaning: string, mend?: 'fix']>;

export type FindingCode = keyof typeof findingKinds;

export const areas = [...new Set(Object.values(findingKinds).map(([area]) => area))];

export interface Finding {
  code: FindingCode;
  area: string;
  level: 'wrong' | 'notice';
  meaning: string;
  /** Whether --fix can mend it. */
  canMend: boolean;
  count: number;
  mended: number;
  /** The first of them. */
  examples: string[];
}

const maxExamples = 10;

export interface Findings {
  /** Notes that something is so, `count` times; what was mended with --fix counts in both. */
  note(code: FindingCode, example: string, how?: { count?: number; isMended?: boolean }): void;
  all(): Finding[];
}

export function createFindings(): Findings {
  const found = new Map<FindingCode, Finding>();
  return {
    note(code, example, { count = 1, isMended = false } = {}) {
      const [area, level, meaning, mend] = findingKinds[code] as readonly [string, 'wrong' | 'notice', string, 'fix'?];
      const finding = found.get(code) ?? {
        code,
        area,
        level,
        meaning,
        canMend: mend === 'fix',
        count: 0,
        mended: 0,
        examples: [],
      };
      finding.count += count;
      if (isMended) finding.mended += count;
      if (finding.examples.length < maxExamples && example !== '') finding.examples.push(example);
      found.set(code, finding);
    },
    all: () => [...found.values()].sort((a, b) => areas.indexOf(a.area as never) - areas.indexOf(b.area as never)),
  };
}

/** Whether something is wrong that was not mended. A notice is no fault. */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.every(({ level, count, mended }) => level === 'notice' || mended === count);
}

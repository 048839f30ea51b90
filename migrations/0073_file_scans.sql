-- What a virus scanner said of files, and when those that it has not judged are tried again. Null without a scanner.
ALTER TABLE attachments ADD COLUMN scan_status TEXT;
ALTER TABLE attachments ADD COLUMN scan_found TEXT;
ALTER TABLE attachments ADD COLUMN scan_next_at INTEGER;
CREATE INDEX attachments_to_scan ON attachments (scan_next_at) WHERE scan_next_at IS NOT NULL;
CREATE INDEX attachments_infected ON attachments (id) WHERE scan_status = 'infected';

ALTER TABLE draft_files ADD COLUMN scan_status TEXT;
ALTER TABLE draft_files ADD COLUMN scan_found TEXT;
ALTER TABLE draft_files ADD COLUMN scan_next_at INTEGER;
CREATE INDEX draft_files_to_scan ON draft_files (scan_next_at) WHERE scan_next_at IS NOT NULL;

UPDATE sites SET settings = json_insert(settings, '$.attachment_scan', 'wait');

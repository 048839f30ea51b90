-- What the names of a custom channel's own headers begin with, for receivers that were written for another sender.

ALTER TABLE channels ADD COLUMN header_prefix TEXT NOT NULL DEFAULT 'X-Helpdesk';

-- The desk encrypts what is there in the same transaction (src/store/migrate.ts).

ALTER TABLE channels RENAME COLUMN webhook_url TO webhook_url_sealed;

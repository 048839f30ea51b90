-- A bucket for files that an owner can set in the browser where the environment says nothing, and the folders in it: each is of the
-- data directory that made it, so that a copy of the desk removes no files of the original.
ALTER TABLE desk_settings ADD COLUMN bucket TEXT;
ALTER TABLE desk_settings ADD COLUMN bucket_secret_sealed TEXT;
ALTER TABLE desk_settings ADD COLUMN bucket_folders TEXT NOT NULL DEFAULT '[]';

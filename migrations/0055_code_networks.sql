-- Who asked for a code, as a keyed hash of the client's network: strangers elsewhere do not use up its owner's codes.
ALTER TABLE customer_codes ADD COLUMN network_hash TEXT NOT NULL DEFAULT '';

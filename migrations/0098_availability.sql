-- Who is away, until when (null: until someone says so), and what they said about it.
ALTER TABLE agents ADD COLUMN is_away INTEGER NOT NULL DEFAULT 0;
ALTER TABLE agents ADD COLUMN away_until INTEGER;
ALTER TABLE agents ADD COLUMN away_note TEXT;

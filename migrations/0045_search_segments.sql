-- Four segments of a size are merged, as SQLite does by default: with sixteen, a search reads twice as many segments,
-- and one merge can pass over four times as many dead documents.
INSERT INTO ticket_search (ticket_search, rank) VALUES ('usermerge', 4);
INSERT INTO author_search (author_search, rank) VALUES ('usermerge', 4);

-- The desk merges the segments of its full-text indexes itself, some pages with each commit (src/store/documents.ts).
-- What SQLite does on its own can take hundreds of milliseconds within one write.
INSERT INTO ticket_search (ticket_search, rank) VALUES ('automerge', 0), ('usermerge', 16), ('crisismerge', 1000);
INSERT INTO author_search (author_search, rank) VALUES ('automerge', 0), ('usermerge', 16), ('crisismerge', 1000);

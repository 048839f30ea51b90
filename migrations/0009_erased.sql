-- Finds erased people without a look at all the others.
CREATE INDEX authors_erased ON authors (id) WHERE anonymised_at IS NOT NULL;

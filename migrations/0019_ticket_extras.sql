-- What applications send as context.extra, which lists of tickets show: read from here, a list touches no context, which may be long.

CREATE INDEX tickets_extra ON tickets (id, context -> '$.extra') WHERE context -> '$.extra' IS NOT NULL;

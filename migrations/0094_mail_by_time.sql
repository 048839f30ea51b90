-- Reports count the inbound log by time, without what was imported in silence, and forms.
CREATE INDEX inbound_mail_by_time ON inbound_mail (site_id, received_at, id, outcome, processed_at, mailbox_id, held_for, ticket_id)
  WHERE provider <> 'form' AND silent_date IS NULL;

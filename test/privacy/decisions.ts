// What an erasure does with every column of the database (docs/privacy.md). A new column needs a decision here.

/**
 * none: never holds anything of an author (numbers, times, the desk's own words, what a site is set up with, agents, hashes).
 * scrub: what is of the person goes in the transaction of the erasure.
 * expires: it goes by itself; docs/privacy.md says when.
 */
type Decision = 'none' | 'scrub' | 'expires';

/** Columns by decision, separated by spaces. */
export const decisions: Record<string, Partial<Record<Decision, string>>> = {
  agent_sites: { none: 'agent_id site_id' },
  agents: {
    none: 'id email name role is_active created_at password_hash invited_at last_seen_at locale time_zone signature theme muted_notices has_shortcuts oidc_issuer oidc_subject',
  },
  attachments: {
    none: 'id ulid site_id ticket_id message_id content_type size sha256 is_agent is_internal created_at scheduled_reply_id agent_id',
    scrub: 'filename',
  },
  // Authors are in it only by their id. Addresses are of people who manage the desk, or tried to sign in.
  audit_log: {
    none: 'id at action actor_type actor_id actor_name site_id target_type target_id target_name before after',
    expires: 'address',
  },
  audit_sweeps: { none: 'id before' },
  author_search: { scrub: 'email name', none: 'author_search rank' },
  author_search_config: { none: 'k v' },
  author_search_data: { none: 'id', expires: 'block' },
  author_search_docsize: { none: 'id sz origin' },
  author_search_idx: { none: 'segid pgno', expires: 'term' },
  authors: {
    // The fingerprints are keyed.
    none: 'id site_id is_verified anonymised_at erased_external_id erased_email created_at',
    scrub: 'external_id email name',
  },
  catalogue_version: { none: 'id version' },
  categories: { none: 'id site_id name slug description color sort_order is_active version' },
  challenges: { none: 'id purpose token_hash agent_id session_id data_sealed created_at expires_at' },
  channel_catch_ups: { none: 'channel_id last_success_at held_since after_id' },
  channels: {
    none: 'id site_id name type webhook_url_sealed events sort_order is_active consecutive_failures disabled_at disabled_reason last_delivery_at signing_secret_sealed previous_signing_secret_sealed previous_signing_secret_expires_at version created_at last_success_at header_prefix include_test',
  },
  // Codes and lists expire, and an erasure removes them at once.
  customer_codes: {
    none: 'id ulid site_id asker_hash attempts created_at expires_at is_by_link digits',
    scrub: 'address',
  },
  customer_links: {
    none: 'id ulid site_id ticket_id kind delivery_id message_id token_hash created_at last_used_at uses revoked_at revoked_by',
    scrub: 'address',
  },
  customer_lists: { none: 'id site_id token_hash created_at proven_at expires_at', scrub: 'address' },
  customer_proofs: { none: 'id site_id browser_hash proven_at', scrub: 'address' },
  customer_visits: { none: 'id site_id link_id token_hash created_at expires_at' },
  custom_fields: {
    none: 'id site_id key label description type options is_required is_author_visible sort_order is_active version',
  },
  deliveries: {
    // The Message-ID is the desk's own.
    none: 'id ulid site_id channel_id ticket_id event_seq event mail_message_id status attempts tries first_tried_at next_at claimed_until finished_at created_at claimed_by',
    scrub: 'payload recipient last_error',
  },
  delivery_attempts: { none: 'id delivery_id at duration_ms response_status', scrub: 'response_excerpt error' },
  desk_settings: { none: 'id name locale time_zone require_second_factor version' },
  drafts: { none: 'ticket_id agent_id body_format tab attachment_ids updated_at', scrub: 'body' },
  erased_letters: { none: 'mail_message_id' },
  // Sealed, and removed when the erasure is finished.
  erasures_under_way: {
    none: 'author_id after_ticket_id after_message_id until_mail_id is_shared',
    expires: 'person_sealed',
  },
  events: { none: 'seq kind site_id ticket_id created_at', scrub: 'actor data' },
  // Answers about tickets are scrubbed; others, and the hash of the request, expire.
  idempotency_keys: { none: 'id credential status created_at', scrub: 'answer_sealed', expires: 'key fingerprint' },
  idempotency_tickets: { none: 'ticket_id key_id' },
  import_rows: { none: 'import_id kind new_id new_ulid run', expires: 'old' },
  imports: { none: 'id name site_id run finished_at created_at' },
  inbound_mail: {
    none: 'id ulid site_id provider size status outcome content_hash ticket_id is_reopening matched_rules attempts received_at processed_at retry_at forwarded_to erased_at',
    scrub: 'headers reason sender recipient subject mail_message_id trace form',
  },
  inbound_rule_marks: { none: 'site_id mark' },
  inbound_rules: {
    none: 'id site_id position is_active match stop_processing version created_at',
    scrub: 'name conditions actions',
  },
  // Written by agents, with variables in place of what is an author's.
  macros: {
    none: 'id site_id agent_id name body body_format changes is_shared position version created_at updated_at',
  },
  mail_suppressions: { none: 'site_id created_at', scrub: 'address reason' },
  mentions: { none: 'message_id agent_id ticket_id' },
  messages: {
    none: 'id ulid ticket_id author_id agent_id agent_name body_format is_internal is_automated is_agent source sender_verified created_at link_id is_confirmed edited_at',
    scrub: 'author_name body delivery html whole_body',
  },
  passkeys: {
    none: 'id agent_id name credential_id public_key sign_count transports is_backed_up last_used_at created_at',
  },
  priorities: {
    none: 'id site_id name slug color level sort_order is_active first_response_minutes resolution_minutes version',
  },
  priority_levels: { none: 'priority_id after_id' },
  read_marks: { none: 'agent_id ticket_id read_at' },
  recovery_codes: { none: 'agent_id code_hash used_at' },
  scheduled_replies: {
    none: 'id ulid ticket_id agent_id agent_name body_format mentions status actor send_at created_at',
    scrub: 'body html',
  },
  schema_migrations: { none: 'version name checksum applied_at' },
  search_purges: { none: 'name is_under_way' },
  sessions: {
    none: 'id agent_id token_hash method has_second_factor address browser system confirmed_at last_used_at created_at',
  },
  // Keyed fingerprints of what was typed as an address.
  sign_in_failures: { none: 'failures failed_at', expires: 'fingerprint' },
  sign_in_links: { none: 'id purpose agent_id token_hash created_at expires_at' },
  sites: {
    none: 'id ulid name slug description default_priority_id token_hash previous_token_hash previous_token_expires_at inbound_secret_hash inbound_secret_sealed previous_inbound_secret_hash previous_inbound_secret_expires_at sla_policy settings version created_at updated_at sla_policy_id last_assigned_agent_id origin_ulid',
  },
  site_logos: { none: 'site_id content_type bytes' },
  spent_proofs: { none: 'challenge expires_at' },
  // The mailbox is a keyed fingerprint, kept for an hour.
  form_tickets: { none: 'ticket_id created_at', expires: 'mailbox' },
  detachments: { none: 'kind id' },
  clock_jumps: { none: 'id before after is_suspension' },
  site_removals: { none: 'site_id tickets after_seq until_seq started_at' },
  sla_intervals: { none: 'id ticket_id kind started_at ended_at started_by_seq ended_by_seq' },
  sla_policies: { none: 'id site_id policy' },
  totp_secrets: { none: 'agent_id secret_sealed confirmed_at last_step created_at' },
  // Who asked for it is an agent.
  sla_recomputes: { none: 'id site_id actor after_id stepped_at' },
  sqlite_sequence: { none: 'name seq' },
  team_tokens: { none: 'id name token_hash abilities site_id expires_at last_used_at created_at' },
  ticket_counts: { none: 'site_id status is_test is_spam total' },
  // The kind of an error, not its words.
  ticket_faults: { none: 'job ticket_id error failed_at retry_at' },
  ticket_search: { none: 'scope reference ticket_search rank', scrub: 'subject author body' },
  ticket_search_config: { none: 'k v' },
  ticket_search_data: { none: 'id', expires: 'block' },
  ticket_search_docsize: { none: 'id sz origin' },
  ticket_search_idx: { none: 'segid pgno', expires: 'term' },
  ticket_tags: { none: 'ticket_id', scrub: 'tag' },
  tickets: {
    none: 'id ulid site_id author_id status source is_test category_id priority_id priority_level assignee_id access_token_hash first_response_target_minutes resolution_target_minutes first_response_due_at first_response_at first_response_warned_at first_response_breached_at resolution_due_at resolved_at resolution_warned_at resolution_breached_at sla_paused_at first_response_paused_ms resolution_paused_ms sla_next_at first_response_sort resolution_sort closed_at merged_into_id split_from_id snoozed_until is_spam sla_marks next_due_sort message_count last_customer_message_at last_agent_message_at version created_at updated_at sla_policy_id',
    scrub: 'subject tags custom_fields metadata context',
  },
  view_positions: { none: 'agent_id view_id position' },
  views: { none: 'id agent_id sort direction is_shared site_ids created_at', scrub: 'name filter' },
};

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
    none: 'id email name role is_active created_at password_hash invited_at last_seen_at locale time_zone signature theme has_shortcuts oidc_issuer oidc_subject notification_preferences is_away away_until away_note',
  },
  // Sealed, and gone within seconds.
  asked_mails: { none: 'id mail_at', expires: 'asked_sealed' },
  attachments: {
    none: 'id ulid site_id ticket_id message_id content_type size sha256 is_agent is_internal created_at scheduled_reply_id agent_id scan_status scan_found scan_next_at',
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
    none: 'id ulid site_id asker_hash network_hash attempts created_at expires_at is_by_link digits',
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
    none: 'id ulid site_id channel_id ticket_id event_seq event mail_message_id status attempts tries first_tried_at next_at claimed_until finished_at created_at claimed_by mailbox_id push_subscription_id',
    scrub: 'payload recipient last_error',
  },
  delivery_attempts: { none: 'id delivery_id at duration_ms response_status', scrub: 'response_excerpt error' },
  desk_settings: {
    none: 'id name locale time_zone require_second_factor version notifications push_content agent_reports mail_server mail_server_secret_sealed issuer issuer_secret_sealed base_url inbound_domain bucket bucket_secret_sealed bucket_folders',
  },
  draft_files: {
    none: 'id ulid agent_id content_type size sha256 created_at scan_status scan_found scan_next_at',
    scrub: 'filename',
  },
  drafts: { none: 'ticket_id agent_id body_format tab attachment_ids updated_at', scrub: 'body fields' },
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
  mailbox_cursors: {
    none: 'mailbox_id folder uid_validity last_uid listed_until_uid since is_silent changes',
  },
  // Marks are keyed hashes: without them, an erased person's mail would come back when a server numbers its messages again.
  mailbox_messages: {
    none: 'id mailbox_id folder uid_validity uid mark content_mark inbound_id is_pending seen_at',
  },
  mailbox_states: {
    none: 'mailbox_id state reason since wrong_sign_ins looked_at message_at sync_asked_at',
  },
  mailbox_alarms: { none: 'mailbox_id kind reason step since' },
  mailbox_checks: { none: 'mailbox_id certificates certificates_at counted_at counted missing' },
  mail_apps: { none: 'id provider issuer client_id client_secret_sealed scope secret_expires_at version' },
  mailboxes: {
    none: 'id site_id name address provider authentication incoming outgoing secret_sealed outgoing_secret_sealed first_days save_sent is_paused created_at version has_canary consent_from consent_until',
  },
  mailbox_canaries: { none: 'id mailbox_id ulid delivery_id sent_at seen_at is_told' },
  inbound_mail: {
    none: 'mailbox_id silent_date id ulid site_id provider size status outcome content_hash ticket_id is_reopening matched_rules attempts received_at processed_at retry_at forwarded_to erased_at held_for is_released',
    scrub: 'headers reason sender recipient subject mail_message_id sha256 trace form sender_checks spam_check',
  },
  inbound_rule_marks: { none: 'site_id mark' },
  automation_days: { none: 'kind rule_id day ran matched changed skipped' },
  automation_replies: { none: 'kind rule_id ticket_id day times' },
  automation_runs: { none: 'first_seq last_seq cause_seq kind rule_id ticket_id at' },
  triggers: {
    none: 'id site_id position is_active events match stop_processing version created_at',
    scrub: 'name conditions actions',
  },
  timed_rules: {
    none: 'id site_id position is_active since minutes time match version created_at',
    scrub: 'name conditions actions',
  },
  timed_rule_progress: { none: 'rule_id passed_at passed_id' },
  ticket_moments: { none: 'ticket_id since site_id at' },
  moment_gatherings: { none: 'site_id since after_id' },
  // That of an erased customer goes.
  recurring_tickets: {
    none: 'id site_id position is_active schedule next_at version created_at',
    scrub: 'name ticket',
  },
  rule_days: { none: 'rule_id day runs matches' },
  rule_tickets: { none: 'rule_id at ticket_id' },
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
  // An erasure of a customer removes the rows of their tickets. Without words: ids, states and tags.
  merges: { none: 'source_id target_id merged_by created_at', scrub: 'moved' },
  // What they tell of is read from the ticket. A reason is the desk's own words about a mailbox, a channel or a disk.
  notifications: {
    none: 'id agent_id kind reason site_id ticket_id event_seq payload in_inbox mail_at created_at read_at',
  },
  messages: {
    none: 'id ulid ticket_id author_id agent_id agent_name body_format is_internal is_automated is_agent source sender_verified created_at link_id is_confirmed edited_at sender_id inbound_id',
    scrub: 'author_name body delivery html whole_body recipients',
  },
  passkeys: {
    none: 'id agent_id name credential_id public_key sign_count transports is_backed_up last_used_at created_at',
  },
  priorities: {
    none: 'id site_id name slug color level sort_order is_active first_response_minutes resolution_minutes version',
  },
  priority_levels: { none: 'priority_id after_id' },
  push_subscriptions: {
    none: 'id agent_id session_id endpoint_hash target_sealed last_delivered_at last_error created_at',
  },
  read_marks: { none: 'agent_id ticket_id read_at' },
  recovery_codes: { none: 'agent_id code_hash used_at' },
  scheduled_replies: {
    none: 'id ulid ticket_id agent_id agent_name body_format mentions status sender_id actor send_at created_at is_internal',
    scrub: 'body html recipients',
  },
  side_conversations: { none: 'agent_id id ulid ticket_id closed_at created_at', scrub: 'subject people' },
  side_messages: {
    none: 'id ulid side_conversation_id agent_name sender_verified attachment_ids created_at',
    scrub: 'sender_email sender_name body quoted mail_message_id',
  },
  // A participant is an author; an erasure removes the row.
  participants: { none: 'id ticket_id author_id added_by created_at removed_at' },
  // Addresses of the desk; one that a customer has as well goes with an erasure.
  arrival_addresses: { none: 'id site_id', scrub: 'address' },
  // Addresses of the desk, and what DNS says of their domains.
  senders: { none: 'id site_id name address dkim_selectors is_default sort_order checks version' },
  // Written by agents, with variables in place of what is an author's.
  mail_templates: { none: 'id site_id name locale subject body updated_at' },
  schema_migrations: { none: 'version name checksum applied_at' },
  search_purges: { none: 'name is_under_way' },
  search_rebuilds: { none: 'name next_id' },
  search_waiting: { none: 'seq name id' },
  sessions: {
    none: 'id agent_id token_hash method has_second_factor address browser system confirmed_at last_used_at created_at',
  },
  // Keyed fingerprints of what was typed as an address.
  sign_in_failures: { none: 'failures failed_at', expires: 'fingerprint' },
  sign_in_links: { none: 'id purpose agent_id token_hash created_at expires_at' },
  sites: {
    none: 'id ulid name slug description default_priority_id token_hash previous_token_hash previous_token_expires_at inbound_secret_hash inbound_secret_sealed previous_inbound_secret_hash previous_inbound_secret_expires_at sla_policy version created_at updated_at sla_policy_id last_assigned_agent_id origin_ulid',
    // Listed senders.
    scrub: 'settings',
  },
  site_files: { none: 'site_id bytes' },
  site_logos: { none: 'site_id content_type bytes' },
  spent_proofs: { none: 'challenge expires_at' },
  // The mailbox is a keyed fingerprint, kept for an hour.
  form_tickets: { none: 'ticket_id created_at', expires: 'mailbox' },
  detachments: { none: 'kind id' },
  report_facts: {
    none: 'ticket_id kind number site_id at until_at ticket_created_at agent_id calendar_ms working_ms amount is_last',
  },
  report_facts_due: { none: 'ticket_id' },
  report_readers: { none: 'report_id agent_id' },
  board_links: { none: 'id name agent_id site_ids secret_hash created_at' },
  saved_reports: { none: 'id agent_id report is_shared site_ids schedule next_at created_at', scrub: 'name query' },
  clock_jumps: { none: 'id before after is_suspension' },
  site_removals: { none: 'site_id tickets after_seq until_seq started_at' },
  sla_intervals: { none: 'id ticket_id kind started_at ended_at started_by_seq ended_by_seq' },
  sla_policies: { none: 'id site_id policy' },
  totp_secrets: { none: 'agent_id secret_sealed confirmed_at last_step created_at' },
  // Who asked for it is an agent.
  sla_recomputes: { none: 'id site_id actor after_id stepped_at' },
  sqlite_sequence: { none: 'name seq' },
  storage_days: { none: 'day database_bytes file_bytes free_bytes' },
  team_tokens: { none: 'id name token_hash abilities site_id expires_at last_used_at created_at' },
  ticket_followers: { none: 'ticket_id agent_id is_muted created_at' },
  ticket_counts: { none: 'site_id status is_test is_spam total' },
  ticket_drafts: { none: 'agent_id body_format attachment_ids updated_at', scrub: 'body fields' },
  // The kind of an error, not its words.
  ticket_faults: { none: 'job ticket_id error failed_at retry_at' },
  ticket_search: { none: 'scope reference ticket_search rank', scrub: 'subject author body' },
  ticket_search_config: { none: 'k v' },
  ticket_search_data: { none: 'id', expires: 'block' },
  ticket_search_docsize: { none: 'id sz origin' },
  ticket_search_idx: { none: 'segid pgno', expires: 'term' },
  ticket_tags: { none: 'ticket_id', scrub: 'tag' },
  tickets: {
    none: 'id ulid site_id author_id status source is_test category_id priority_id priority_level assignee_id team_id access_token_hash first_response_target_minutes resolution_target_minutes first_response_due_at first_response_at first_response_warned_at first_response_breached_at resolution_due_at resolved_at resolution_warned_at resolution_breached_at sla_paused_at first_response_from first_response_paused_ms resolution_paused_ms sla_next_at first_response_sort resolution_sort closed_at merged_into_id split_from_id snoozed_until is_spam sender_id sla_marks next_due_sort message_count last_customer_message_at last_agent_message_at version created_at updated_at sla_policy_id satisfaction satisfaction_at',
    scrub: 'subject tags custom_fields metadata context satisfaction_comment',
  },
  team_members: { none: 'team_id agent_id turn' },
  team_sites: { none: 'team_id site_id' },
  team_waits: { none: 'ticket_id team_id since' },
  teams: { none: 'id name max_open_per_agent version created_at wait_minutes returns_when_away' },
  versions_run: { none: 'id version began_at' },
  view_positions: { none: 'agent_id view_id position' },
  views: { none: 'id agent_id sort direction is_shared site_ids created_at', scrub: 'name filter' },
};

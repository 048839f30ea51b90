// The ordered list of migrations: frozen SQL, embedded into the executable. Written by `bun scripts/schema.ts`.

import desk from './0001_desk.sql' with { type: 'text' };
import sla from './0002_sla.sql' with { type: 'text' };
import outbox from './0003_outbox.sql' with { type: 'text' };
import inbound from './0004_inbound.sql' with { type: 'text' };
import claims from './0005_claims.sql' with { type: 'text' };
import inboundRetries from './0006_inbound_retries.sql' with { type: 'text' };
import trustedMailServers from './0007_trusted_mail_servers.sql' with { type: 'text' };
import imports from './0008_imports.sql' with { type: 'text' };
import erased from './0009_erased.sql' with { type: 'text' };
import erasedMail from './0010_erased_mail.sql' with { type: 'text' };
import siteOrigin from './0011_site_origin.sql' with { type: 'text' };
import ticketFaults from './0012_ticket_faults.sql' with { type: 'text' };
import slaRecomputes from './0013_sla_recomputes.sql' with { type: 'text' };
import inboundRuleMarks from './0014_inbound_rule_marks.sql' with { type: 'text' };
import catalogueVersion from './0015_catalogue_version.sql' with { type: 'text' };
import testTickets from './0016_test_tickets.sql' with { type: 'text' };
import priorityLevels from './0017_priority_levels.sql' with { type: 'text' };
import acknowledged from './0018_acknowledged.sql' with { type: 'text' };
import ticketExtras from './0019_ticket_extras.sql' with { type: 'text' };
import listIndexes from './0020_list_indexes.sql' with { type: 'text' };
import siteRemovals from './0021_site_removals.sql' with { type: 'text' };
import erasedTraces from './0022_erased_traces.sql' with { type: 'text' };
import headerPrefixes from './0023_header_prefixes.sql' with { type: 'text' };
import clockJumps from './0024_clock_jumps.sql' with { type: 'text' };
import erasuresUnderWay from './0025_erasures_under_way.sql' with { type: 'text' };
import detachments from './0026_detachments.sql' with { type: 'text' };
import actorTypes from './0027_actor_types.sql' with { type: 'text' };
import auditLog from './0028_audit_log.sql' with { type: 'text' };
import people from './0029_people.sql' with { type: 'text' };
import erasureProgress from './0030_erasure_progress.sql' with { type: 'text' };
import outboxSteps from './0031_outbox_steps.sql' with { type: 'text' };
import updatedAfterCreated from './0032_updated_after_created.sql' with { type: 'text' };
import signedInAgents from './0033_signed_in_agents.sql' with { type: 'text' };
import snoozeSpamSplit from './0034_snooze_spam_split.sql' with { type: 'text' };
import views from './0035_views.sql' with { type: 'text' };
import nextDue from './0036_next_due.sql' with { type: 'text' };
import scheduledReplies from './0037_scheduled_replies.sql' with { type: 'text' };
import macros from './0038_macros.sql' with { type: 'text' };
import viewCounts from './0039_view_counts.sql' with { type: 'text' };
import customerPages from './0040_customer_pages.sql' with { type: 'text' };
import customerLinks from './0041_customer_links.sql' with { type: 'text' };
import forms from './0042_forms.sql' with { type: 'text' };
import searchMerges from './0043_search_merges.sql' with { type: 'text' };
import viewSites from './0044_view_sites.sql' with { type: 'text' };
import searchSegments from './0045_search_segments.sql' with { type: 'text' };
import fewerPages from './0046_fewer_pages.sql' with { type: 'text' };
import editedNotes from './0047_edited_notes.sql' with { type: 'text' };
import codeBudgets from './0048_code_budgets.sql' with { type: 'text' };
import sealedWebhookUrls from './0049_sealed_webhook_urls.sql' with { type: 'text' };
import { step as sealedWebhookUrlsStep } from './0049_sealed_webhook_urls.ts';
import testWebhooks from './0050_test_webhooks.sql' with { type: 'text' };
import listFilters from './0051_list_filters.sql' with { type: 'text' };
import mailHashes from './0052_mail_hashes.sql' with { type: 'text' };
import searchWaiting from './0053_search_waiting.sql' with { type: 'text' };
import oneIndexForEachOrder from './0054_one_index_for_each_order.sql' with { type: 'text' };
import codeNetworks from './0055_code_networks.sql' with { type: 'text' };
import participants from './0056_participants.sql' with { type: 'text' };
import deliveriesWrittenOnce from './0057_deliveries_written_once.sql' with { type: 'text' };
import senders from './0058_senders.sql' with { type: 'text' };
import agentMail from './0059_agent_mail.sql' with { type: 'text' };
import outboundTickets from './0060_outbound_tickets.sql' with { type: 'text' };
import mailTemplates from './0061_mail_templates.sql' with { type: 'text' };
import sideConversations from './0062_side_conversations.sql' with { type: 'text' };
import siteSignatures from './0063_site_signatures.sql' with { type: 'text' };
import replyRecipients from './0064_reply_recipients.sql' with { type: 'text' };
import filesOfSites from './0065_files_of_sites.sql' with { type: 'text' };
import replySenders from './0066_reply_senders.sql' with { type: 'text' };
import askedMails from './0067_asked_mails.sql' with { type: 'text' };
import merges from './0068_merges.sql' with { type: 'text' };
import messageOriginals from './0069_message_originals.sql' with { type: 'text' };
import mailboxes from './0070_mailboxes.sql' with { type: 'text' };
import heldNotes from './0071_held_notes.sql' with { type: 'text' };
import senderChecks from './0072_sender_checks.sql' with { type: 'text' };
import fileScans from './0073_file_scans.sql' with { type: 'text' };
import mailApps from './0074_mail_apps.sql' with { type: 'text' };
import listedSenders from './0075_listed_senders.sql' with { type: 'text' };
import heldFor from './0076_held_for.sql' with { type: 'text' };
import mailboxAlarms from './0077_mailbox_alarms.sql' with { type: 'text' };
import mailboxLines from './0078_mailbox_lines.sql' with { type: 'text' };
import mailboxCounts from './0079_mailbox_counts.sql' with { type: 'text' };
import mailboxCanaries from './0080_mailbox_canaries.sql' with { type: 'text' };
import spamChecks from './0081_spam_checks.sql' with { type: 'text' };
import arrivalAddresses from './0082_arrival_addresses.sql' with { type: 'text' };
import consentEnds from './0083_consent_ends.sql' with { type: 'text' };
import ruleCounts from './0084_rule_counts.sql' with { type: 'text' };
import notifications from './0085_notifications.sql' with { type: 'text' };
import pushSubscriptions from './0086_push_subscriptions.sql' with { type: 'text' };
import readNotifications from './0087_read_notifications.sql' with { type: 'text' };
import growth from './0088_growth.sql' with { type: 'text' };
import notificationMails from './0089_notification_mails.sql' with { type: 'text' };
import reportFacts from './0090_report_facts.sql' with { type: 'text' };
import savedReports from './0091_saved_reports.sql' with { type: 'text' };
import triggers from './0092_triggers.sql' with { type: 'text' };
import satisfaction from './0093_satisfaction.sql' with { type: 'text' };
import mailByTime from './0094_mail_by_time.sql' with { type: 'text' };
import timedRules from './0095_timed_rules.sql' with { type: 'text' };
import boardLinks from './0096_board_links.sql' with { type: 'text' };
import teams from './0097_teams.sql' with { type: 'text' };
import availability from './0098_availability.sql' with { type: 'text' };
import teamWaits from './0099_team_waits.sql' with { type: 'text' };
import replacedLinks from './0100_replaced_links.sql' with { type: 'text' };
import searchForm from './0101_search_form.sql' with { type: 'text' };
import ownServices from './0102_own_services.sql' with { type: 'text' };
import auditByTarget from './0103_audit_by_target.sql' with { type: 'text' };
import ownAddresses from './0104_own_addresses.sql' with { type: 'text' };
import ownBucket from './0105_own_bucket.sql' with { type: 'text' };
import rememberedSettings from './0106_remembered_settings.sql' with { type: 'text' };
import schema from './schema.sql' with { type: 'text' };
import type { Migration } from './step.ts';

export const migrations: readonly Migration[] = [
  { version: 1, name: 'desk', sql: desk },
  { version: 2, name: 'sla', sql: sla },
  { version: 3, name: 'outbox', sql: outbox },
  { version: 4, name: 'inbound', sql: inbound },
  { version: 5, name: 'claims', sql: claims },
  { version: 6, name: 'inbound_retries', sql: inboundRetries },
  { version: 7, name: 'trusted_mail_servers', sql: trustedMailServers },
  { version: 8, name: 'imports', sql: imports },
  { version: 9, name: 'erased', sql: erased },
  { version: 10, name: 'erased_mail', sql: erasedMail },
  { version: 11, name: 'site_origin', sql: siteOrigin },
  { version: 12, name: 'ticket_faults', sql: ticketFaults },
  { version: 13, name: 'sla_recomputes', sql: slaRecomputes },
  { version: 14, name: 'inbound_rule_marks', sql: inboundRuleMarks },
  { version: 15, name: 'catalogue_version', sql: catalogueVersion },
  { version: 16, name: 'test_tickets', sql: testTickets },
  { version: 17, name: 'priority_levels', sql: priorityLevels },
  { version: 18, name: 'acknowledged', sql: acknowledged },
  { version: 19, name: 'ticket_extras', sql: ticketExtras },
  { version: 20, name: 'list_indexes', sql: listIndexes },
  { version: 21, name: 'site_removals', sql: siteRemovals },
  { version: 22, name: 'erased_traces', sql: erasedTraces },
  { version: 23, name: 'header_prefixes', sql: headerPrefixes },
  { version: 24, name: 'clock_jumps', sql: clockJumps },
  { version: 25, name: 'erasures_under_way', sql: erasuresUnderWay },
  { version: 26, name: 'detachments', sql: detachments },
  { version: 27, name: 'actor_types', sql: actorTypes },
  { version: 28, name: 'audit_log', sql: auditLog },
  { version: 29, name: 'people', sql: people },
  { version: 30, name: 'erasure_progress', sql: erasureProgress },
  { version: 31, name: 'outbox_steps', sql: outboxSteps },
  { version: 32, name: 'updated_after_created', sql: updatedAfterCreated },
  { version: 33, name: 'signed_in_agents', sql: signedInAgents },
  { version: 34, name: 'snooze_spam_split', sql: snoozeSpamSplit },
  { version: 35, name: 'views', sql: views },
  { version: 36, name: 'next_due', sql: nextDue },
  { version: 37, name: 'scheduled_replies', sql: scheduledReplies },
  { version: 38, name: 'macros', sql: macros },
  { version: 39, name: 'view_counts', sql: viewCounts },
  { version: 40, name: 'customer_pages', sql: customerPages },
  { version: 41, name: 'customer_links', sql: customerLinks },
  { version: 42, name: 'forms', sql: forms },
  { version: 43, name: 'search_merges', sql: searchMerges },
  { version: 44, name: 'view_sites', sql: viewSites },
  { version: 45, name: 'search_segments', sql: searchSegments },
  { version: 46, name: 'fewer_pages', sql: fewerPages },
  { version: 47, name: 'edited_notes', sql: editedNotes },
  { version: 48, name: 'code_budgets', sql: codeBudgets },
  { version: 49, name: 'sealed_webhook_urls', sql: sealedWebhookUrls, step: sealedWebhookUrlsStep },
  { version: 50, name: 'test_webhooks', sql: testWebhooks },
  { version: 51, name: 'list_filters', sql: listFilters },
  { version: 52, name: 'mail_hashes', sql: mailHashes },
  { version: 53, name: 'search_waiting', sql: searchWaiting },
  { version: 54, name: 'one_index_for_each_order', sql: oneIndexForEachOrder },
  { version: 55, name: 'code_networks', sql: codeNetworks },
  { version: 56, name: 'participants', sql: participants },
  { version: 57, name: 'deliveries_written_once', sql: deliveriesWrittenOnce },
  { version: 58, name: 'senders', sql: senders },
  { version: 59, name: 'agent_mail', sql: agentMail },
  { version: 60, name: 'outbound_tickets', sql: outboundTickets },
  { version: 61, name: 'mail_templates', sql: mailTemplates },
  { version: 62, name: 'side_conversations', sql: sideConversations },
  { version: 63, name: 'site_signatures', sql: siteSignatures },
  { version: 64, name: 'reply_recipients', sql: replyRecipients },
  { version: 65, name: 'files_of_sites', sql: filesOfSites },
  { version: 66, name: 'reply_senders', sql: replySenders },
  { version: 67, name: 'asked_mails', sql: askedMails },
  { version: 68, name: 'merges', sql: merges },
  { version: 69, name: 'message_originals', sql: messageOriginals },
  { version: 70, name: 'mailboxes', sql: mailboxes },
  { version: 71, name: 'held_notes', sql: heldNotes },
  { version: 72, name: 'sender_checks', sql: senderChecks },
  { version: 73, name: 'file_scans', sql: fileScans },
  { version: 74, name: 'mail_apps', sql: mailApps },
  { version: 75, name: 'listed_senders', sql: listedSenders },
  { version: 76, name: 'held_for', sql: heldFor },
  { version: 77, name: 'mailbox_alarms', sql: mailboxAlarms },
  { version: 78, name: 'mailbox_lines', sql: mailboxLines },
  { version: 79, name: 'mailbox_counts', sql: mailboxCounts },
  { version: 80, name: 'mailbox_canaries', sql: mailboxCanaries },
  { version: 81, name: 'spam_checks', sql: spamChecks },
  { version: 82, name: 'arrival_addresses', sql: arrivalAddresses },
  { version: 83, name: 'consent_ends', sql: consentEnds },
  { version: 84, name: 'rule_counts', sql: ruleCounts },
  { version: 85, name: 'notifications', sql: notifications },
  { version: 86, name: 'push_subscriptions', sql: pushSubscriptions },
  { version: 87, name: 'read_notifications', sql: readNotifications },
  { version: 88, name: 'growth', sql: growth },
  { version: 89, name: 'notification_mails', sql: notificationMails },
  { version: 90, name: 'report_facts', sql: reportFacts },
  { version: 91, name: 'saved_reports', sql: savedReports },
  { version: 92, name: 'triggers', sql: triggers },
  { version: 93, name: 'satisfaction', sql: satisfaction },
  { version: 94, name: 'mail_by_time', sql: mailByTime },
  { version: 95, name: 'timed_rules', sql: timedRules },
  { version: 96, name: 'board_links', sql: boardLinks },
  { version: 97, name: 'teams', sql: teams },
  { version: 98, name: 'availability', sql: availability },
  { version: 99, name: 'team_waits', sql: teamWaits },
  { version: 100, name: 'replaced_links', sql: replacedLinks },
  { version: 101, name: 'search_form', sql: searchForm },
  { version: 102, name: 'own_services', sql: ownServices },
  { version: 103, name: 'audit_by_target', sql: auditByTarget },
  { version: 104, name: 'own_addresses', sql: ownAddresses },
  { version: 105, name: 'own_bucket', sql: ownBucket },
  { version: 106, name: 'remembered_settings', sql: rememberedSettings, whole: schema },
];

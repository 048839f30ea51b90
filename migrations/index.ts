// The ordered list of migrations: frozen SQL, embedded into the executable.

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
import testWebhooks from './0050_test_webhooks.sql' with { type: 'text' };
import listFilters from './0051_list_filters.sql' with { type: 'text' };

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

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
  { version: 49, name: 'sealed_webhook_urls', sql: sealedWebhookUrls },
  { version: 50, name: 'test_webhooks', sql: testWebhooks },
  { version: 51, name: 'list_filters', sql: listFilters },
];

// What the settings of the SLA read of a site.

import type { WeeklyHours } from './week.ts';

export interface SlaPolicy {
  business_hours: { timezone: string; weekly: WeeklyHours } | null;
  holidays: string[];
  holiday_names: Record<string, string>;
  pause_while_pending: boolean;
  warn_at_percent: number;
}

export interface SiteWithPolicy {
  id: number;
  slug: string;
  default_priority_id: number | null;
  sla_policy: SlaPolicy;
}

export interface Priority {
  id: number;
  name: string;
  is_active: boolean;
  is_default: boolean;
  first_response_minutes: number | null;
  resolution_minutes: number | null;
}

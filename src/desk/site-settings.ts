// The SLA policy and the settings of a site, and how changes merge into them.

import { compileCalendar, type SlaPolicy } from '../domain/calendar.ts';
import { DeskError } from '../domain/errors.ts';
import type { SiteInput } from '../domain/input/sites.ts';
import type { SiteSettings, SiteSlaPolicy } from '../domain/site.ts';
import { validatePolicy } from '../domain/sla-policy.ts';

export function toPolicy(stored: SiteSlaPolicy): SlaPolicy {
  return {
    businessHours: stored.business_hours,
    holidays: stored.holidays,
    pauseWhilePending: stored.pause_while_pending,
    warnAtPercent: stored.warn_at_percent,
  };
}

export function mergePolicy(current: SiteSlaPolicy, input: SiteInput['sla_policy'], now: number): SiteSlaPolicy {
  if (input == null) return current;
  const merged: SiteSlaPolicy = {
    business_hours: input.business_hours === undefined ? current.business_hours : input.business_hours,
    holidays: input.holidays ?? current.holidays,
    pause_while_pending: input.pause_while_pending ?? current.pause_while_pending,
    warn_at_percent: input.warn_at_percent ?? current.warn_at_percent,
  };
  const errors = validatePolicy(toPolicy(merged), now);
  if (Object.keys(errors).length > 0) {
    const prefixed = Object.fromEntries(
      Object.entries(errors).map(([path, messages]) => [path ? `sla_policy.${path}` : 'sla_policy', messages]),
    );
    throw new DeskError('invalid', 'The SLA policy is not valid.', { errors: prefixed });
  }
  // Every ticket compiles the policy, so a policy that does not compile must fail here.
  compileCalendar(merged.business_hours, merged.holidays);
  return merged;
}

export function mergeSettings(current: SiteSettings, input: SiteInput['settings']): SiteSettings {
  const given = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(given) };
}

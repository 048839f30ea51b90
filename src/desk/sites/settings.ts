// The SLA policy and the settings of a site, and how changes merge into them.

import { sha256Hex } from '../../base/crypto.ts';
import { invalid, invalidFields } from '../../domain/errors.ts';
import type { BrandInput } from '../../domain/input/brand.ts';
import type { SiteInput } from '../../domain/input/sites.ts';
import type { Logo } from '../../domain/sites/logo.ts';
import type { SiteBrand, SiteSettings, SiteSlaPolicy } from '../../domain/sites/site.ts';
import { compileCalendar, type SlaPolicy } from '../../domain/sla/calendar.ts';
import { validatePolicy } from '../../domain/sla/policy.ts';
import { listFaults } from '../../domain/tickets/files.ts';
import type { Tx } from '../../engine/database.ts';
import { dropSiteLogo, keepSiteLogo } from '../../store/sites/logos.ts';
import { requireSignature } from './signature.ts';

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
  const names = Object.entries(input.holiday_names ?? current.holiday_names ?? {});
  const kept = names.filter(([date, name]) => name !== '' && merged.holidays.includes(date));
  if (kept.length > 0) merged.holiday_names = Object.fromEntries(kept);
  const errors = validatePolicy(toPolicy(merged), now);
  if (Object.keys(errors).length > 0) {
    const prefixed = Object.fromEntries(
      Object.entries(errors).map(([path, messages]) => [path ? `sla_policy.${path}` : 'sla_policy', messages]),
    );
    throw invalidFields(prefixed);
  }
  // Every ticket compiles the policy, so a policy that does not compile must fail here.
  compileCalendar(merged.business_hours, merged.holidays);
  return merged;
}

/** The brand merges too: its keys that are left out keep their values. */
export function mergeSettings(current: SiteSettings, input: SiteInput['settings']): SiteSettings {
  const { brand, ...others } = input ?? {};
  requireSignature(others.signature, 'settings.signature');
  if (others.signature !== undefined) others.signature = others.signature?.trim() ? others.signature : null;
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const merged = { ...current, ...Object.fromEntries(given), brand: mergeBrand(current.brand, brand ?? {}) };
  const faults = Object.entries(listFaults(merged)).map(([name, messages]) => [`settings.${name}`, messages]);
  if (faults.length > 0) throw invalidFields(Object.fromEntries(faults));
  return merged;
}

function mergeBrand(current: SiteBrand, { name, color, logo }: BrandInput): SiteBrand {
  if (logo && 'shown' in logo && logo.shown !== current.logo)
    throw invalid('settings.brand.logo', 'must be an image, or the path of the current logo.');
  return {
    name: name === undefined ? current.name : name || null,
    color: color === undefined ? current.color : color,
    logo: logo == null || 'shown' in logo ? (logo === null ? null : current.logo) : logoVersion(logo),
  };
}

// Names the content in its path, so that browsers can keep it.
const logoVersion = ({ bytes }: Logo) => sha256Hex(bytes).slice(0, 16);

/** Stores or drops the bytes of the logo that the settings name. */
export function keepLogo(tx: Tx, siteId: number, input: SiteInput['settings']): void {
  const logo = input?.brand?.logo;
  if (logo === null) dropSiteLogo(tx, siteId);
  else if (logo !== undefined && 'bytes' in logo) keepSiteLogo(tx, siteId, logo);
}

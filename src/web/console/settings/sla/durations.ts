// Targets as people write them: "45m", "4h", "1h 30m"; nothing for no target.

/** Null: no target. Undefined: it is not a duration. */
export function minutesIn(text: string): number | null | undefined {
  const clean = text.trim().toLowerCase();
  if (clean === '') return null;
  const [whole, hours, minutes] = /^(?:(\d{1,5}) ?h)? ?(?:(\d{1,7}) ?m(?:in)?)?$/.exec(clean) ?? [];
  if (whole === undefined) return undefined;
  const total = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return total === 0 ? undefined : total;
}

export function durationText(minutes: number | null): string {
  if (minutes === null) return '';
  const parts = [Math.floor(minutes / 60), minutes % 60];
  return [parts[0] === 0 ? '' : `${parts[0]}h`, parts[1] === 0 ? '' : `${parts[1]}m`].filter(Boolean).join(' ');
}

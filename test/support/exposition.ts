// Reads Prometheus' text format (version 0.0.4) and refuses what a scraper would refuse or misread.

export interface Family {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const number = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;

/** The labels of a sample, from `{` on, and where they end. */
function labelsOf(text: string): { labels: Record<string, string>; rest: string } {
  const labels: Record<string, string> = {};
  let rest = text.slice(1);
  while (!rest.startsWith('}')) {
    const pair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|(?=\}))/.exec(rest);
    if (!pair) throw new Error(`no label at ${rest}`);
    const [whole, name = '', value = ''] = pair;
    if (name in labels) throw new Error(`the label ${name} twice: ${text}`);
    labels[name] = value;
    rest = rest.slice(whole.length);
  }
  return { labels, rest: rest.slice(1) };
}

function familyNameOf(families: Map<string, Family>, name: string): string {
  if (families.has(name)) return name;
  const base = name.replace(/_(?:bucket|sum|count)$/, '');
  if (families.get(base)?.type === 'histogram') return base;
  throw new Error(`${name} has no TYPE`);
}

/** Throws if the text does not follow the format. */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line must end');
  const families = new Map<string, Family>();
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name = '', rest = ''] = comment;
      if (!metricName.test(name)) throw new Error(`no name: ${line}`);
      if (kind === 'HELP') helps.set(name, rest);
      else {
        if (families.has(name)) throw new Error(`${name} comes twice`);
        if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(`no type: ${line}`);
        families.set(name, { type: rest as Family['type'], help: helps.get(name) ?? '', samples: [] });
        current = name;
      }
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(.*)$/.exec(line);
    if (!sample) throw new Error(`no sample: ${line}`);
    const [, name = '', tail = ''] = sample;
    const { labels, rest } = tail.startsWith('{') ? labelsOf(tail) : { labels: {}, rest: tail };
    const value = rest.trim();
    if (!rest.startsWith(' ') || !number.test(value)) throw new Error(`no value: ${line}`);
    const family = familyNameOf(families, name);
    if (family !== current) throw new Error(`${name} stands apart from its family`);
    const series = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (seen.has(series)) throw new Error(`${series} comes twice`);
    seen.add(series);
    families.get(family)?.samples.push({ name, labels, value: Number(value.replace('Inf', 'Infinity')) });
  }
  for (const [name, family] of families) {
    if (family.help === '') throw new Error(`${name} has no HELP`);
    if (family.type === 'counter' && family.samples.some(({ value }) => !(value >= 0)))
      throw new Error(`${name} counts down`);
    if (family.type === 'histogram') checkHistogram(name, family);
  }
  return families;
}

function checkHistogram(name: string, { samples }: Family): void {
  const groups = new Map<string, { buckets: [number, number][]; count?: number; sum?: number }>();
  for (const sample of samples) {
    const { le, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    const group = groups.get(key) ?? { buckets: [] };
    groups.set(key, group);
    if (sample.name === `${name}_count`) group.count = sample.value;
    else if (sample.name === `${name}_sum`) group.sum = sample.value;
    else group.buckets.push([Number((le ?? '').replace('Inf', 'Infinity')), sample.value]);
  }
  for (const [key, { buckets, count, sum }] of groups) {
    const isRising = buckets.every(
      ([le, value], at) => at === 0 || (le > (buckets[at - 1]?.[0] ?? 0) && value >= (buckets[at - 1]?.[1] ?? 0)),
    );
    if (!isRising) throw new Error(`${name}${key}: buckets must rise`);
    const last = buckets.at(-1);
    if (last?.[0] !== Number.POSITIVE_INFINITY || last[1] !== count || sum === undefined)
      throw new Error(`${name}${key}: the last bucket holds all`);
  }
}

/** One sample's value, or undefined. */
export function sampleOf(
  families: Map<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  for (const { samples } of families.values()) {
    const found = samples.find(
      (sample) =>
        sample.name === name &&
        Object.keys(sample.labels).length === Object.keys(labels).length &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
    if (found) return found.value;
  }
  return undefined;
}

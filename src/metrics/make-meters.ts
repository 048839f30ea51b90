// How the groups of metrics make theirs, all in one registry.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type MeterMaker = ReturnType<typeof createMeterMaker>;

export function createMeterMaker(registry: Registry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: (name: string, help: string, labelNames: string[] = []) => new Gauge({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
  };
}

export function setOrLeaveOut(meter: Gauge, value: number | null): void {
  if (value === null) meter.remove();
  else meter.set(value);
}

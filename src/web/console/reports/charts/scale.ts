// The scale of a chart: round numbers for its lines, and which of many labels fit.

const countSteps = [1, 2, 5];
/** In minutes. */
const durationSteps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 7200, 14_400];

export type ScaleOf = 'number' | 'share' | 'minutes';

/** From 0 to at least the greatest value, in at most four steps. */
export function ticksFor(greatest: number, of: ScaleOf): number[] {
  if (of === 'share') return [0, 0.25, 0.5, 0.75, 1];
  const most = 4;
  const least = Math.max(greatest, 1) / most;
  const fits = (step: number) => step >= least;
  let step = of === 'minutes' ? durationSteps.find(fits) : undefined;
  for (let size = 1; step === undefined; size *= 10) step = countSteps.map((one) => one * size).find(fits);
  const found: number[] = [];
  for (let at = 0; at < greatest || found.length < 2; at += step) found.push(at);
  if ((found.at(-1) ?? 0) < greatest) found.push((found.at(-1) ?? 0) + step);
  return found;
}

/** Every how many of the labels is written. */
export function labelStep(labels: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil(labels / Math.max(1, Math.floor(width / labelWidth))));
}

/** Lines through what has a value. A single point is not a line. */
export function runsOf<Point>(points: readonly (Point | null)[]): Point[][] {
  const runs: Point[][] = [];
  let isOpen = false;
  for (const point of points) {
    if (point === null) isOpen = false;
    else if (isOpen) runs.at(-1)?.push(point);
    else {
      runs.push([point]);
      isOpen = true;
    }
  }
  return runs;
}

export const heatLevels = 5;

/** 0 for none, then up to `heatLevels`. */
export function heatLevel(value: number | null, greatest: number): number {
  if (value === null || value <= 0) return 0;
  return Math.min(heatLevels, Math.max(1, Math.ceil((value / greatest) * heatLevels)));
}

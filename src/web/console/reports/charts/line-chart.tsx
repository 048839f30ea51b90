// Lines over time: each point is a link to its tickets.

import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { go } from '../../route.ts';
import { t } from '../messages.ts';
import { type Point, useRoving } from './roving.ts';
import { labelStep, runsOf, type ScaleOf, ticksFor } from './scale.ts';

export interface Series {
  /** Its look: a number, another one, the 90th percentile of the first, or as it was before. */
  tone: 'first' | 'second' | 'upper' | 'before';
  name: string;
  /** One for each bucket; null: nothing was measured. */
  points: readonly (ChartPoint | null)[];
}

interface ChartPoint {
  value: number;
  text: string;
  href: string;
}

interface LineChartProps {
  label: string;
  /** In full, and below the chart. */
  buckets: readonly { name: string; tick: string }[];
  series: readonly Series[];
  scale: ScaleOf;
  tickText: (value: number) => string;
}

const height = 176;
const above = 8;
const below = 24;
const usualWidth = 480;
const tickWidth = 62;
/** With more points than this only the one that is looked at is drawn as a dot. */
const mostDots = 16;

export function LineChart({ label, buckets, series, scale, tickText }: LineChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const id = useId().replace(/\W/g, '');
  const idOf = ({ row, column }: Point) => `${id}-${row}-${column}`;
  const roving = useRoving({ rows: series.length, columns: buckets.length }, idOf);

  const values = series.flatMap(({ points }) => points.flatMap((point) => (point === null ? [] : [point.value])));
  const ticks = ticksFor(Math.max(0, ...values), scale);
  const top = ticks.at(-1) ?? 1;
  const texts = ticks.map(tickText);
  const start = 14 + Math.max(...texts.map(({ length }) => length)) * 6.5;
  const room = Math.max(1, width - start - 12);
  const xOf = (column: number) =>
    buckets.length === 1 ? start + room / 2 : start + (room * column) / (buckets.length - 1);
  const yOf = (value: number) => above + (height - above - below) * (1 - value / top);
  const step = labelStep(buckets.length, room, tickWidth);
  const { active } = roving;
  // The first that has a point is reached with Tab.
  const reached = hasPoint(series, roving.at) ? roving.at : firstPoint(series);

  /** The point nearest to the pointer. */
  function pointAt(event: PointerEvent | MouseEvent): Point | null {
    const box = roving.root.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return null;
    const x = ((event.clientX - box.left) / box.width) * width;
    const y = ((event.clientY - box.top) / box.height) * height;
    const column = buckets.length === 1 ? 0 : Math.round(((x - start) / room) * (buckets.length - 1));
    let nearest: Point | null = null;
    let distance = Number.POSITIVE_INFINITY;
    for (const [row, { points }] of series.entries()) {
      const point = points[column];
      if (point == null || Math.abs(yOf(point.value) - y) >= distance) continue;
      distance = Math.abs(yOf(point.value) - y);
      nearest = { row, column };
    }
    return nearest;
  }

  return (
    <div ref={frame} class="chart">
      <svg
        ref={roving.root}
        class="chart-drawing"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={label}
        aria-description={t.chartHint}
        onKeyDown={roving.press}
        onPointerMove={(event) => roving.show(pointAt(event))}
        onPointerLeave={() => roving.show(null)}
        onClick={(event) => {
          // Of a link that the keyboard opened, or of the drawing.
          const point = event.target instanceof Element && event.target.closest('a') === null ? pointAt(event) : null;
          const href = point === null ? undefined : series[point.row]?.points[point.column]?.href;
          if (href === undefined) return;
          if (event.ctrlKey || event.metaKey) open(href, '_blank', 'noopener');
          else go(href);
        }}
      >
        <g aria-hidden="true">
          {ticks.map((tick, index) => (
            <g key={tick}>
              <line class="chart-line" x1={start} x2={width - 12} y1={yOf(tick)} y2={yOf(tick)} />
              <text class="chart-text" x={start - 8} y={yOf(tick) + 4} text-anchor="end">
                {texts[index]}
              </text>
            </g>
          ))}
          {buckets.map(({ tick }, column) =>
            column % step === 0 && (column === 0 || width - xOf(column) > tickWidth / 2) ? (
              <text key={column} class="chart-text" x={xOf(column)} y={height - 6} text-anchor="middle">
                {tick}
              </text>
            ) : null,
          )}
          {active !== null && (
            <line class="chart-cursor" x1={xOf(active.column)} x2={xOf(active.column)} y1={above} y2={height - below} />
          )}
        </g>
        {series.map(({ tone, points }, row) => (
          <Line
            key={tone}
            tone={tone}
            isFilled={row === 0 && series.every((one) => one.tone === 'first' || one.tone === 'before')}
            floor={height - below}
            points={points.map((point, column) => point && { x: xOf(column), y: yOf(point.value) })}
          />
        ))}
        {series.map(({ tone, name, points }, row) => (
          <g key={tone} class={`chart-points ${tone}`}>
            {points.map((point, column) =>
              point === null ? null : (
                <a
                  key={column}
                  id={idOf({ row, column })}
                  href={point.href}
                  tabindex={reached?.row === row && reached.column === column ? 0 : -1}
                  aria-label={`${buckets[column]?.name}: ${name}, ${point.text}`}
                  onFocus={() => roving.show({ row, column })}
                  onBlur={() => roving.show(null)}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    go(point.href);
                  }}
                >
                  <circle
                    class={`chart-dot${active?.row === row && active.column === column ? ' is-active' : ''}`}
                    cx={xOf(column)}
                    cy={yOf(point.value)}
                    r={
                      active?.column === column ? 4 : points.length > mostDots && !isAlone(points, column) ? 0.01 : 2.5
                    }
                  />
                </a>
              ),
            )}
          </g>
        ))}
      </svg>
      {active !== null && (
        <Tip
          x={xOf(active.column) / width}
          name={buckets[active.column]?.name ?? ''}
          lines={series.flatMap(({ tone, name, points }, row) => {
            const point = points[active.column];
            return point == null ? [] : [{ tone, name, text: point.text, isActive: row === active.row }];
          })}
        />
      )}
    </div>
  );
}

interface LineProps {
  tone: Series['tone'];
  isFilled: boolean;
  floor: number;
  points: readonly ({ x: number; y: number } | null)[];
}

function Line({ tone, isFilled, floor, points }: LineProps) {
  const runs = runsOf(points).filter(({ length }) => length > 1);
  const path = (run: readonly { x: number; y: number }[]) =>
    run.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L');
  return (
    <g aria-hidden="true" class={`chart-series ${tone}`}>
      {isFilled &&
        runs.map((run) => (
          <path
            key={run[0]?.x}
            class="chart-area"
            d={`M${path(run)}L${run.at(-1)?.x.toFixed(1)},${floor}L${run[0]?.x.toFixed(1)},${floor}Z`}
          />
        ))}
      {runs.map((run) => (
        <path key={run[0]?.x} class="chart-path" d={`M${path(run)}`} />
      ))}
    </g>
  );
}

interface TipProps {
  /** From 0 to 1. */
  x: number;
  name: string;
  lines: readonly { tone: string; name: string; text: string; isActive: boolean }[];
}

/** What the point says, for eyes: screen readers hear the name of its link. */
export function Tip({ x, name, lines }: TipProps) {
  return (
    <div
      class={`chart-tip${x > 0.5 ? ' at-end' : ''}`}
      style={x > 0.5 ? { right: `${(1 - x) * 100}%` } : { left: `${x * 100}%` }}
      aria-hidden="true"
    >
      <p>{name}</p>
      {lines.map((line) => (
        <p key={line.tone} class={line.isActive ? 'is-active' : undefined}>
          <span class={`chart-swatch ${line.tone}`} />
          <span>{line.name}</span>
          <strong>{line.text}</strong>
        </p>
      ))}
    </div>
  );
}

function hasPoint(series: readonly Series[], { row, column }: Point): boolean {
  return series[row]?.points[column] != null;
}

function firstPoint(series: readonly Series[]): Point | null {
  for (const [row, { points }] of series.entries()) {
    const column = points.findIndex((point) => point !== null);
    if (column !== -1) return { row, column };
  }
  return null;
}

const isAlone = (points: readonly unknown[], column: number) =>
  points[column - 1] == null && points[column + 1] == null;

/** Text keeps its size: the drawing is as wide as its place. */
export function useWidth(frame: { current: HTMLElement | null }): number {
  const width = useSignal(usualWidth);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => {
      if (element.clientWidth > 0) width.value = element.clientWidth;
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return width.value;
}

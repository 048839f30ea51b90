// The hours of a week as a heat map: each cell is a link to its tickets.

import { useId, useRef } from 'preact/hooks';
import { go } from '../../route.ts';
import { dayName } from '../../zone.ts';
import { hourText } from '../group-words.ts';
import { t } from '../messages.ts';
import { Tip, useWidth } from './line-chart.tsx';
import { type Point, useRoving } from './roving.ts';
import { heatLevel, heatLevels } from './scale.ts';

interface HeatMapProps {
  label: string;
  name: string;
  /** Monday first, 24 for each day. */
  cells: readonly (readonly HeatCell[])[];
}

interface HeatCell {
  value: number | null;
  text: string;
  href: string;
}

const gap = 2;
const above = 4;
const below = 20;

export function HeatMap({ label, name, cells }: HeatMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const id = useId().replace(/\W/g, '');
  const idOf = ({ row, column }: Point) => `${id}-${row}-${column}`;
  const roving = useRoving({ rows: 7, columns: 24 }, idOf);
  const isNarrow = width < 560;
  const start = isNarrow ? 34 : 48;
  const size = (width - start) / 24;
  const tall = Math.max(22, Math.min(34, size));
  const height = above + 7 * tall + below;
  const greatest = Math.max(0, ...cells.flat().map(({ value }) => value ?? 0));
  const { active } = roving;
  const shown = active === null ? undefined : cells[active.row]?.[active.column];
  const every = isNarrow ? 6 : 3;

  return (
    <div ref={frame} class="chart heat">
      <svg
        ref={roving.root}
        class="chart-drawing"
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={label}
        aria-description={t.chartHint}
        onKeyDown={roving.press}
        onPointerLeave={() => roving.show(null)}
      >
        <g aria-hidden="true">
          {cells.map((_, day) => (
            <text key={day} class="chart-text" x={0} y={above + day * tall + tall / 2 + 4}>
              {dayName(day, 'short')}
            </text>
          ))}
          {Array.from({ length: 24 / every }, (_, index) => (
            <text key={index} class="chart-text" x={start + index * every * size} y={height - 5}>
              {hourText(index * every)}
            </text>
          ))}
        </g>
        {cells.map((hours, row) =>
          hours.map(({ value, text, href }, column) => (
            <a
              key={`${row} ${column}`}
              id={idOf({ row, column })}
              href={href}
              tabindex={roving.at.row === row && roving.at.column === column ? 0 : -1}
              aria-label={`${dayName(row)} ${hourText(column)}: ${name}, ${text}`}
              onPointerEnter={() => roving.show({ row, column })}
              onFocus={() => roving.show({ row, column })}
              onBlur={() => roving.show(null)}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                go(href);
              }}
            >
              <rect
                class={`heat-cell level-${heatLevel(value, greatest)}`}
                x={start + column * size + gap / 2}
                y={above + row * tall + gap / 2}
                width={Math.max(1, size - gap)}
                height={tall - gap}
                rx={3}
              />
            </a>
          )),
        )}
      </svg>
      <p class="heat-legend" aria-hidden="true">
        {t.heatLess}
        {Array.from({ length: heatLevels + 1 }, (_, level) => (
          <span key={level} class={`heat-swatch level-${level}`} />
        ))}
        {t.heatMore}
      </p>
      {active !== null && shown !== undefined && (
        <Tip
          x={(start + (active.column + 0.5) * size) / width}
          name={`${dayName(active.row)} ${hourText(active.column)}`}
          lines={[{ tone: 'first', name, text: shown.text, isActive: true }]}
        />
      )}
    </div>
  );
}

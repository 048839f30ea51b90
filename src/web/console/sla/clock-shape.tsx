// The shape of each state of an SLA clock, so that it is told apart without its colour.

import type { ClockState } from './clock-state.ts';

const paths: Record<ClockState['kind'], string> = {
  none: 'M4 8h8',
  awaiting: 'M3.25 8h.01M8 8h.01M12.75 8h.01',
  met: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  late: 'M3.5 8.5 6.5 11.5 12.5 4.5M3 14h10',
  stopped: 'M4.75 4.75h6.5v6.5h-6.5z',
  paused: 'M5.75 4v8M10.25 4v8',
  running: 'M8 2.25a5.75 5.75 0 1 1 0 11.5 5.75 5.75 0 0 1 0-11.5ZM8 4.75V8l2.25 1.5',
  soon: 'M8 2.25 14.25 13H1.75ZM8 6.5v3M8 11.25h.01',
  breached: 'M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4ZM8 4.75v4M8 11.25h.01',
};

export function ClockShape({ kind }: { kind: ClockState['kind'] }) {
  return (
    <svg class={`icon clock-shape ${kind}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[kind]} />
    </svg>
  );
}

// Metrics of the process: its memory, its time on the processor, and how late its timers fire.

import { readdirSync } from 'node:fs';
import { monotonicMs } from '../base/clock.ts';
import { processStartedAt } from '../base/process.ts';
import { version } from '../base/version.ts';
import { type MeterMaker, setOrLeaveOut } from './make-meters.ts';

const delaySeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const delayEveryMs = 250;

export function createProcessMeters({ counter, gauge, histogram }: MeterMaker) {
  gauge('helpdesk_build_info', 'Always 1; the version is in the label.', ['version']).set({ version }, 1);
  gauge('process_start_time_seconds', 'Time when the process started.').set(processStartedAt / 1000);
  const rss = gauge('process_resident_memory_bytes', 'Resident memory of the process, including shared memory.');
  const heap = gauge('process_heap_bytes', 'JavaScript heap in use.');
  const cpu = counter('process_cpu_seconds_total', 'CPU time used by the process.');
  const descriptors = gauge('process_open_fds', 'Open file descriptors, if the system reports them.');
  const delay = histogram(
    'helpdesk_event_loop_delay_seconds',
    'How late a timer fires that is due four times a second, which is how long requests had to wait.',
    delaySeconds,
  );

  let expectedAt = monotonicMs() + delayEveryMs;
  const ticker = setInterval(() => {
    const now = monotonicMs();
    delay.observe(Math.max(0, now - expectedAt) / 1000);
    expectedAt = now + delayEveryMs;
  }, delayEveryMs);
  ticker.unref();

  return {
    show() {
      const { heapUsed, rss: resident } = process.memoryUsage();
      rss.set(resident);
      heap.set(heapUsed);
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
      setOrLeaveOut(descriptors, openDescriptors());
    },
    stop() {
      clearInterval(ticker);
    },
  };
}

function openDescriptors(): number | null {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : null;
}

// Kills a reader process that exceeds its budget, from a thread: the job itself can block the event loop.

import { Worker } from 'node:worker_threads';
import type { Budget } from './jobs.ts';

export const overBudgetWords = { processor: 'over budget: processor', memory: 'over budget: memory' } as const;

const [running, processorLimit, memoryLimit] = [0, 1, 2];
const everyMs = 50;

const script = `
const { writeSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const { shared, parent, words, slots, everyMs } = workerData;
const limits = new Float64Array(shared);
function end(why) {
  // The parent may be gone, and its pipe with it; the process must end all the same.
  try { writeSync(2, why); } catch {}
  process.kill(process.pid, 'SIGKILL');
}
function isAlive(pid) {
  try { process.kill(pid, 0); return true; } catch (error) { return error.code === 'EPERM'; }
}
setInterval(() => {
  if (!isAlive(parent)) end('');
  if (limits[slots.running] === 0) return;
  const { user, system } = process.cpuUsage();
  if ((user + system) / 1000 > limits[slots.processorLimit]) end(words.processor);
  if (process.memoryUsage.rss() > limits[slots.memoryLimit]) end(words.memory);
}, everyMs);
`;

interface Watchdog {
  begin(budget: Budget): void;
  end(): void;
}

export function startWatchdog(parent: number): Watchdog {
  const shared = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT);
  const limits = new Float64Array(shared);
  const slots = { running, processorLimit, memoryLimit };
  const thread = new Worker(script, {
    eval: true,
    workerData: { shared, parent, words: overBudgetWords, slots, everyMs },
  });
  thread.unref();
  return {
    begin({ processorMs, memoryBytes }) {
      const { user, system } = process.cpuUsage();
      limits[processorLimit] = (user + system) / 1000 + processorMs;
      limits[memoryLimit] = memoryBytes;
      limits[running] = 1;
    },
    end() {
      limits[running] = 0;
    },
  };
}

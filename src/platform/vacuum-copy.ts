// A copy of a whole database that a child process makes.

export interface RunningCopy {
  exited: Promise<number>;
  kill(): void;
}

export interface CopyOptions {
  folder: string;
  timeoutMs: number;
  program?: string;
}

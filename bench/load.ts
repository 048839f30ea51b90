// The load that the client sends, and what it measures.

export interface Load {
  port: number;
  connections: number;
  warmUpMs: number;
  measureMs: number;
  method: 'GET' | 'POST';
  /**
   * `{n}` is a number that increases with every request, `{choice}` one of the choices in turn; also in headers and
   * body.
   */
  path: string;
  headers: Record<string, string>;
  body: string | null;
  choices: string[];
  firstNumber: number;
}

export interface Measured {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  meanBytes: number;
  statuses: Record<string, number>;
  lastNumber: number;
}

export async function drive(load: Load): Promise<Measured> {
  const client = Bun.spawn([process.execPath, new URL('./client.ts', import.meta.url).pathname], {
    stdin: new Blob([JSON.stringify(load)]),
    stderr: 'inherit',
  });
  const text = await new Response(client.stdout).text();
  if ((await client.exited) !== 0) throw new Error('the client failed');
  const measured = JSON.parse(text) as Measured;
  const wrong = Object.keys(measured.statuses).filter((status) => !status.startsWith('2'));
  if (wrong.length > 0) throw new Error(`answers with ${wrong.join(', ')}: ${JSON.stringify(measured.statuses)}`);
  return measured;
}

// The desk under load, and how it is used.

export interface Target {
  url: string;
  pid: number;
  slug: string;
  siteToken: string;
  teamToken: string;
  inboundSecret: string;
  /** One command of the executable beside the running desk. */
  command(args: string[], input?: string): Promise<{ output: string; errors: string; code: number }>;
}

/** Answers by status, which distinguishes a refused run from one that did work. */
export type Tally = Record<string, number>;

interface Ask {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: BodyInit;
}

/** Sends all requests, several together. A connection that the desk closed counts as `cut`. */
export async function askAll({ url }: Target, asks: readonly (() => Ask)[], atOnce: number): Promise<Tally> {
  const tally: Tally = {};
  let next = 0;
  const worker = async () => {
    for (let make = asks[next]; make !== undefined; make = asks[next]) {
      next += 1;
      const { method, path, headers = {}, body } = make();
      let result = 'cut';
      try {
        const answer = await fetch(url + path, { method, headers, body, signal: AbortSignal.timeout(60_000) });
        await answer.arrayBuffer();
        result = String(answer.status);
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError') result = 'timeout';
      }
      tally[result] = (tally[result] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return tally;
}

export const asTeam = ({ teamToken }: Target) => ({
  Authorization: `Bearer ${teamToken}`,
  'Content-Type': 'application/json',
});

export const asSite = ({ siteToken }: Target) => ({ 'X-Site-Token': siteToken, 'Content-Type': 'application/json' });

export function filled(head: string, piece: string, bytes: number, tail = ''): string {
  return head + piece.repeat(Math.max(0, Math.floor((bytes - head.length - tail.length) / piece.length))) + tail;
}

/** A new ticket. An answer that is none is thrown with its words, which say what the desk lacked. */
export async function openTicket(target: Target, subject: string): Promise<{ ulid: string; accessToken: string }> {
  const answer = await fetch(`${target.url}/api/v1/public/tickets`, {
    method: 'POST',
    headers: asSite(target),
    body: JSON.stringify({ email: 'mia@example.org', subject, message: 'Hello.' }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`No ticket was opened: ${answer.status} ${text}`);
  const { ticket, access_token } = JSON.parse(text) as { ticket: { ulid: string }; access_token: string };
  return { ulid: ticket.ulid, accessToken: access_token };
}

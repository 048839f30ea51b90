// An imitation of Consul: who leads, and sessions that hold keys. Sessions end only when the test says so.

import { serve } from './serving.ts';

interface FakeConsul {
  url: string;
  /** The answer of `/v1/status/leader`; empty for a Consul that answers 500 to everything. */
  setLeader(answer: string): void;
  asked(): number;
  sessions(): number;
  /** As Consul does when their time is over: their keys are gone, too. */
  endSessions(): void;
  close(): void;
}

export async function fakeConsul(): Promise<FakeConsul> {
  let leader = '"10.0.0.1:8300"';
  let asked = 0;
  let last = 0;
  const sessions = new Set<string>();
  const holders = new Map<string, string>();
  function answer(method: string, { pathname, searchParams }: URL): Response {
    if (leader === '') return new Response(null, { status: 500 });
    const [what, ...rest] = pathname.replace('/v1/', '').split('/');
    const place = `${method} ${what}`;
    if (place === 'GET status') return new Response(leader);
    if (place === 'PUT session' && rest[0] === 'create') {
      last += 1;
      sessions.add(`s${last}`);
      return Response.json({ ID: `s${last}` });
    }
    if (place === 'PUT session' && rest[0] === 'destroy') return Response.json(sessions.delete(rest[1] ?? ''));
    if (place === 'DELETE kv') return Response.json(holders.delete(rest.join('/')) || true);
    const session = searchParams.get('acquire');
    if (place !== 'PUT kv' || session === null) return new Response(null, { status: 404 });
    if (!sessions.has(session)) return new Response('invalid session', { status: 500 });
    const key = rest.join('/');
    if (!holders.has(key)) holders.set(key, session);
    return Response.json(holders.get(key) === session);
  }
  const server = await serve((request) => {
    asked += 1;
    return answer(request.method, new URL(request.url));
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    setLeader(text) {
      leader = text;
    },
    asked: () => asked,
    sessions: () => sessions.size,
    endSessions() {
      sessions.clear();
      holders.clear();
    },
    close: () => void server.stop(true),
  };
}

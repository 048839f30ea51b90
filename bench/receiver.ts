// A webhook receiver in its own process: /ok records when each ticket arrived, /nothing never answers, /500 refuses.

interface Seen {
  ulid: string;
  at: number;
}

let seen: Seen[] = [];
const deliveries = new Set<string>();
let repeats = 0;
const never = new Promise<Response>(() => undefined);

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 255,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/ok') {
      const at = performance.timeOrigin + performance.now();
      const { id, metadata } = (await request.json()) as { id: string; metadata: { ticket_ulid: string } };
      if (deliveries.has(id)) repeats += 1;
      deliveries.add(id);
      seen.push({ ulid: metadata.ticket_ulid, at });
      return new Response(null, { status: 204 });
    }
    if (pathname === '/nothing') return never;
    if (pathname === '/500') return new Response('broken', { status: 500 });
    if (pathname === '/count') return Response.json({ distinct: deliveries.size, repeats });
    if (pathname === '/take') {
      const taken = seen;
      seen = [];
      return Response.json(taken);
    }
    return new Response(null, { status: 404 });
  },
});
console.log(server.port);

// Open consoles: each with its own connection and session, reading whatever the desk sends. Runs as a separate process.

const lines = console[Symbol.asyncIterator]();
const { port, cookies } = JSON.parse((await lines.next()).value ?? '') as { port: number; cookies: string[] };
let bytes = 0;
let open = 0;
const isOpen = Promise.withResolvers<void>();

await Promise.all(
  cookies.map((cookie) => {
    let isBegun = false;
    return Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data(_socket, chunk) {
          bytes += chunk.length;
          if (isBegun) return;
          const text = chunk.toString('latin1');
          if (text.startsWith('HTTP/1.1 ') && !text.startsWith('HTTP/1.1 200')) isOpen.reject(new Error(text));
          if (!text.includes('event: hello')) return;
          isBegun = true;
          open += 1;
          if (open === cookies.length) isOpen.resolve();
        },
        close() {
          throw new Error('the desk closed a stream');
        },
      },
    }).then((socket) => {
      const head = [`Host: 127.0.0.1:${port}`, 'Accept: text/event-stream', `Cookie: ${cookie}`];
      socket.write(`GET /api/v1/live HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
    });
  }),
);
await isOpen.promise;
console.log('open');
for (let next = await lines.next(); !next.done; next = await lines.next()) {
  if (next.value === 'bytes') console.log(String(bytes));
  else process.exit(0);
}

// Whether a machine accepts connections: a request to one whose network is silent would hang.

import { connect } from 'node:net';

const connectMs = 2_000;

export async function isReachable(address: string, ms = connectMs): Promise<boolean> {
  return (await connectionTo(address, ms)) === 'open';
}

/** `refused` comes from a machine that is there; `none` is silence, or an error on the way. */
export function connectionTo(address: string, ms: number): Promise<'open' | 'refused' | 'none'> {
  const { hostname, port, protocol } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
    });
    const end = (outcome: 'open' | 'refused' | 'none') => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => end('none'), ms);
    socket.once('connect', () => end('open'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED' ? 'refused' : 'none'));
  });
}

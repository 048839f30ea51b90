// Whether a machine accepts connections: a request to one whose network is silent would hang.

import { connect } from 'node:net';

const connectMs = 2_000;

export function isReachable(address: string, ms = connectMs): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port),
    });
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isOpen);
    };
    const timer = setTimeout(() => end(false), ms);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

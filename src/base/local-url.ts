// Addresses of this machine.

export function localUrl(host: string, port: number): string {
  const isEverywhere = ['0.0.0.0', '::'].includes(host);
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** @param hostname as `URL` gives it: lower case, IPv4 with four numbers, IPv6 in brackets */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[^.]+\.)*localhost\.?)$/.test(hostname);
}

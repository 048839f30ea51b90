// An issuer without a network, which says that everyone is the agent with one address.

import type { Edge } from '../../src/http/operation.ts';

export function trustingIssuer(email: string): NonNullable<Edge['signIn']['oidc']> {
  return {
    label: 'Example',
    domains: [],
    note: () => undefined,
    client: {
      isAvailable: async () => true,
      test: async () => undefined,
      begin: async () => 'https://login.example.org/',
      finish: async () => ({
        issuer: 'https://login.example.org',
        subject: email,
        email,
        name: null,
        role: null,
        roleFault: null,
        hasSecondFactor: false,
      }),
    },
  };
}

// The part of oidc-provider that tests use.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Interaction {
    uid: string;
    params: Record<string, string>;
  }
  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    use(step: (ctx: { path: string; body: object }, next: () => Promise<void>) => Promise<void>): void;
    Grant: new (about: {
      accountId: string;
      clientId: string;
    }) => Grant;
    AccessToken: { find(token: string): Promise<{ accountId: string } | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<string>;
    on(event: 'server_error', listener: (context: unknown, error: Error) => void): void;
  }
}

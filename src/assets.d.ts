// What the bundler takes in beside TypeScript.

declare module '*.sql' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
declare module '*.txt' {
  const text: string;
  export default text;
}
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const path: string;
  export default path;
}
declare module 'swagger-ui-dist/swagger-ui.css' {
  const path: string;
  export default path;
}
declare module 'mailauth/lib/parse-received.js' {
  type Clause = { value: string; comment?: string };
  export function parseReceived(header: string): { from?: Clause; by?: Clause } | false;
  export function getClientAddress(from: Clause | undefined): string | false;
}

// The OpenAPI document and the page that shows it.

import * as z from 'zod';
import { answered, type Operation, operation } from '../operation.ts';

const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Helpdesk API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/docs/swagger-ui.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;
const start = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: 0 });
});
`;

function text(contentType: string, body: string | Uint8Array): Response {
  return new Response(body as BodyInit, {
    headers: {
      'Content-Type': contentType,
      'Content-Security-Policy': docsPolicy,
      'Cache-Control': 'public, max-age=3600',
    },
  });
}

const html = { status: 200, schema: null, contentType: 'text/html' };

export function opsOperations(document: () => Promise<string>): readonly Operation[] {
  const asset = (name: string, contentType: string, load: () => Promise<string | Uint8Array>): Operation => ({
    method: 'GET',
    path: `/api/docs/${name}`,
    id: `readDocs_${name.replace(/\W/g, '_')}`,
    tag: 'Desk',
    summary: `Read ${name} of the API reference`,
    access: 'public',
    answer: { ...html, description: name, contentType },
    handle: async () => text(contentType, await load()),
  });
  return [
    operation({
      method: 'GET',
      path: '/api/v1/openapi.json',
      id: 'readDocument',
      tag: 'Desk',
      summary: 'Read this document',
      access: 'public',
      answer: answered(
        200,
        'OpenAPI 3.1',
        z.looseObject({ openapi: z.string(), info: z.unknown(), paths: z.unknown() }),
      ),
      handle: async () => ({ status: 200, body: await document(), headers: { 'Cache-Control': 'public, max-age=60' } }),
    }),
    operation({
      method: 'GET',
      path: '/api/docs',
      id: 'readReference',
      tag: 'Desk',
      summary: 'Browse the API reference',
      access: 'public',
      answer: { ...html, description: 'The page' },
      handle: () => text('text/html; charset=utf-8', page),
    }),
    asset('swagger-ui.css', 'text/css; charset=utf-8', async () => (await import('./reference-assets.ts')).css()),
    asset('swagger-ui.js', 'text/javascript; charset=utf-8', async () =>
      (await import('./reference-assets.ts')).script(),
    ),
    asset('start.js', 'text/javascript; charset=utf-8', async () => start),
  ];
}

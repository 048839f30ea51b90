// The shortest program in each language that opens a ticket. More: docs/connect.md.

export const callLanguages = ['curl', 'typescript', 'php', 'python'] as const;
export type CallLanguage = (typeof callLanguages)[number];

export const exampleTicket = {
  email: 'mia@example.org',
  name: 'Mia Jansen',
  subject: 'Hello, desk',
  message: 'This ticket comes from my app.',
  is_test: true,
};

/** @param desk its address, without a slash at the end */
export function callIn(language: CallLanguage, desk: string, token: string): string {
  const url = `${desk}/api/v1/public/tickets`;
  switch (language) {
    case 'curl':
      return [
        `curl ${url} \\`,
        `  -H 'X-Site-Token: ${token}' \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '${JSON.stringify(exampleTicket)}'`,
      ].join('\n');
    case 'typescript':
      return [
        `const answer = await fetch('${url}', {`,
        `  method: 'POST',`,
        `  headers: { 'X-Site-Token': '${token}', 'Content-Type': 'application/json' },`,
        `  body: JSON.stringify(${JSON.stringify(exampleTicket, null, 2).replaceAll('\n', '\n  ')}),`,
        `});`,
        `console.log(answer.status, await answer.json());`,
      ].join('\n');
    case 'php':
      return [
        `<?php`,
        `$ticket = [`,
        ...Object.entries(exampleTicket).map(([name, value]) => `    '${name}' => ${literal(value)},`),
        `];`,
        `echo file_get_contents('${url}', false, stream_context_create(['http' => [`,
        `    'method' => 'POST',`,
        `    'header' => ['X-Site-Token: ${token}', 'Content-Type: application/json'],`,
        `    'content' => json_encode($ticket),`,
        `    'ignore_errors' => true,`,
        `]]));`,
      ].join('\n');
    case 'python':
      return [
        `import json, urllib.request`,
        ``,
        `ticket = {`,
        ...Object.entries(exampleTicket).map(
          ([name, value]) => `    "${name}": ${value === true ? 'True' : JSON.stringify(value)},`,
        ),
        `}`,
        `request = urllib.request.Request(`,
        `    "${url}",`,
        `    data=json.dumps(ticket).encode(),`,
        `    headers={"X-Site-Token": "${token}", "Content-Type": "application/json"},`,
        `)`,
        `print(urllib.request.urlopen(request).read().decode())`,
      ].join('\n');
  }
}

const literal = (value: string | boolean) => (typeof value === 'string' ? `'${value}'` : String(value));

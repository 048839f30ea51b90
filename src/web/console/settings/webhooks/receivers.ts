// Whole receivers that check the signature. They are those of docs/connect.md, with the channel's own header.

export const receiverLanguages = ['TypeScript', 'PHP', 'Python'] as const;
export type ReceiverLanguage = (typeof receiverLanguages)[number];

const usualPrefix = 'X-Helpdesk';

const typescript = `
  import { createHmac, timingSafeEqual } from 'node:crypto';

  export async function receive(request: Request): Promise<Response> {
    const secret = process.env.DESK_WEBHOOK_SECRET;
    if (!secret) throw new Error('DESK_WEBHOOK_SECRET is not set.');
    const raw = Buffer.from(await request.arrayBuffer());
    const digest = createHmac('sha256', secret).update(raw).digest('hex');
    const expected = Buffer.from(\`sha256=\${digest}\`);
    const given = Buffer.from(request.headers.get('X-Helpdesk-Signature') ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return new Response(null, { status: 401 });

    const { event, metadata } = JSON.parse(raw.toString());
    if (event === 'ticket.replied' && metadata.is_admin_reply)
      console.log(\`\${metadata.author_external_id} has an answer on \${metadata.ticket_ulid}\`); // Tell your user.
    return new Response(null, { status: 204 });
  }`;

const php = `
  <?php

  $secret = getenv('DESK_WEBHOOK_SECRET') ?: throw new RuntimeException('DESK_WEBHOOK_SECRET is not set.');
  $raw = file_get_contents('php://input');
  $expected = 'sha256=' . hash_hmac('sha256', $raw, $secret);
  if (!hash_equals($expected, $_SERVER['HTTP_X_HELPDESK_SIGNATURE'] ?? '')) {
      http_response_code(401);
      exit;
  }
  ['event' => $event, 'metadata' => $about] = json_decode($raw, true, flags: JSON_THROW_ON_ERROR);
  if ($event === 'ticket.replied' && $about['is_admin_reply']) {
      error_log("{$about['author_external_id']} has an answer on {$about['ticket_ulid']}"); // Tell your user.
  }
  http_response_code(204);`;

const python = `
  import hashlib
  import hmac
  import json
  import os


  def receive(raw_body: bytes, signature: str) -> int:
      secret = os.environ["DESK_WEBHOOK_SECRET"].encode()
      expected = "sha256=" + hmac.new(secret, raw_body, hashlib.sha256).hexdigest()
      if not hmac.compare_digest(expected.encode(), signature.encode()):
          return 401
      payload = json.loads(raw_body)
      about = payload["metadata"]
      if payload["event"] == "ticket.replied" and about["is_admin_reply"]:
          print(about["author_external_id"], "has an answer on", about["ticket_ulid"])  # Tell your user.
      return 204`;

/** @param prefix of the channel's headers */
export function receiver(language: ReceiverLanguage, prefix = usualPrefix): string {
  const phpName = (of: string) => `HTTP_${of.toUpperCase().replaceAll('-', '_')}_`;
  const indented = { TypeScript: typescript, PHP: php, Python: python }[language].slice(1);
  return `${indented.replaceAll(/^ {2}/gm, '')}\n`
    .replaceAll(`${usualPrefix}-`, () => `${prefix}-`)
    .replaceAll(phpName(usualPrefix), () => phpName(prefix));
}

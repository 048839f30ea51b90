// The page inside the frame that shows an HTML mail (docs/spec/api.md#html-mail).

import * as z from 'zod';
import { isSameSecret } from '../../../base/crypto.ts';
import { frameToken } from '../../../desk/people/sessions.ts';
import { readMailMessage } from '../../../desk/tickets/find-ticket.ts';
import { DeskError } from '../../../domain/errors.ts';
import { withheld } from '../../../domain/tickets/files.ts';
import { attachmentsOfTicket } from '../../../store/tickets/messages.ts';
import { type Call, type Operation, operation } from '../../operation.ts';
import { withInlineImages, withPlainMailLinks, withRemoteImages } from '../../wire/mail/inline-images.ts';
import * as query from '../../wire/queries.ts';
import { ticketName } from '../parameters.ts';

export const frameQuery = z.object({
  images: query.boolean().optional().meta({ description: 'Whether images of other hosts are loaded.' }),
  theme: z.enum(['light', 'dark']).optional(),
  token: z.string().max(100).optional().meta({
    description: 'The frame_token of the session, for browsers that do not say where a page will be shown.',
  }),
});

/** Anywhere else, the page of a stranger would stand under the address of the desk. */
function requireOwnFrame({ edge, session, header }: Call, token: string): void {
  if (session === null) return;
  const destination = header('sec-fetch-dest');
  const isOwn =
    destination === undefined
      ? isSameSecret(frameToken(edge.desk.seal, session.id), token)
      : destination === 'iframe' && header('sec-fetch-site') === 'same-origin';
  if (!isOwn)
    throw new DeskError('forbidden', 'This mail is shown only inside the desk: open its ticket.', {
      reason: 'frame_only',
    });
}

/** Scripts, forms and further frames are refused, also when someone opens the address itself. */
function policy(hasRemoteImages: boolean): string {
  return [
    "default-src 'none'",
    `img-src 'self' data:${hasRemoteImages ? ' https: http:' : ''}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

const colours = {
  light: 'color-scheme:light;background:#fff;color:#1b1b1f',
  dark: 'color-scheme:dark;background:#17171a;color:#ededf0',
} as const;

function pageOf(html: string, theme: keyof typeof colours): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>Mail</title>
<meta name="robots" content="noindex">
<style>
:root{${colours[theme]};font:14px/1.45 system-ui,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif}
body{margin:0;padding:1px 0;overflow-wrap:anywhere}
img{max-width:100%;height:auto}
img:not([src]){position:relative;display:inline-block;box-sizing:border-box;min-width:24px;min-height:24px;padding:2px 6px;overflow:hidden;border-radius:4px;font-size:12px}
img:not([src])::after{content:attr(alt);position:absolute;inset:0;box-sizing:border-box;padding:2px 6px;border-radius:4px;background:light-dark(#f1f1f3,#26262a);color:light-dark(#5c5c66,#a3a3ae)}
img:not([src],[alt]){content:url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'/>");background:light-dark(#f1f1f3,#26262a)}
img:not([src],[alt])[width]{content:url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>")}
img:not([src]):is([width="0"],[width="1"],[height="0"],[height="1"]){display:none}
pre{white-space:pre-wrap}
blockquote{margin-inline:0;padding-inline-start:12px;border-inline-start:2px solid #8b8b9566}
summary{inline-size:fit-content;margin-block:8px;padding:0 8px;border-radius:6px;background:#8b8b9533;cursor:pointer;list-style:none}
</style>
</head>
<body>
${html}
</body>
</html>
`;
}

/** @param html sanitised (src/mail/inbound/sanitise.ts) */
export function frameReply(call: Call<z.output<typeof frameQuery>>, html: string): Response {
  const { images = false, theme = 'light', token = '' } = call.query;
  requireOwnFrame(call, token);
  const safe = withPlainMailLinks(html);
  return new Response(pageOf(images ? withRemoteImages(safe) : safe, theme), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(images),
      'Cache-Control': 'no-store',
    },
  });
}

export const mailFrameOperations: readonly Operation[] = [
  operation({
    method: 'GET',
    path: '/tickets/{ticket}/messages/{message}/frame',
    id: 'showMail',
    tag: 'Tickets',
    summary: 'Show the HTML of a message in a frame',
    description:
      'A page for a sandboxed frame of the desk. It runs no scripts, and loads images of other hosts only with images=1. Browsers get it nowhere else: 403 frame_only.',
    access: 'team',
    ability: 'read',
    query: frameQuery,
    answer: { status: 200, schema: null, contentType: 'text/html', description: 'The page' },
    errors: [404],
    handle(call) {
      const { edge, ctx } = call;
      const shown = edge.desk.read((tx) => {
        const { ticket, html } = readMailMessage(tx, ctx, ticketName(call), call.params.message ?? '');
        const files = attachmentsOfTicket(tx, ticket.id);
        const urlOf = (ulid: string) => {
          const file = files.find((one) => one.ulid === ulid);
          if (file === undefined || withheld(file) !== null) return undefined;
          const { pathname, search } = new URL(edge.links.attachment(file, ctx.now).url);
          return pathname + search;
        };
        return withInlineImages(html, urlOf);
      });
      return frameReply(call, shown);
    },
  }),
];

// The HTML of every page: a head that names its files, and a body.

import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { BrowserFiles, PageFiles } from './browser-files.ts';

export const assetPath = '/assets/';
export const changesPath = `${assetPath}changes`;

/** The one thing that a script makes of a text: the address of the service worker (src/web/console/push/). */
const workerPolicy = 'service-worker';

/** Everything comes from this desk, nothing is inline, and no text becomes HTML or script. Frames show mail and PDFs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The console can be installed, and shows what the desk pushes. */
const consolePolicy = [
  contentSecurityPolicy.replace("trusted-types 'none'", `trusted-types ${workerPolicy}`),
  "worker-src 'self'",
  "manifest-src 'self'",
].join('; ');

/** The other headers of a page are those of every answer (src/http/app.ts). */
export const pageHeaders: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy,
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

export type Theme = 'light' | 'dark';

export const consoleHeaders = { ...pageHeaders, 'Content-Security-Policy': consolePolicy };

export const manifestPath = '/manifest.webmanifest';
export const picturePath = '/icons/';

interface Document {
  /** What the page begins with: a folder of src/web. */
  entry: string;
  /** One of the languages that the files have messages in. */
  language: string;
  files: BrowserFiles;
  title: string;
  /** Paths of more stylesheets. */
  styles?: readonly string[];
  body: ComponentChildren;
  /** JSON for the script of the page, which finds it by its id. */
  data?: string;
  /** The theme of a page without scripts. */
  still?: Theme | null;
}

export function documentHtml({ data, ...document }: Document): string {
  const html = `<!doctype html>${renderToString(<Html {...document} />)}`;
  return data === undefined || document.still ? html : `${html.slice(0, -end.length)}${dataBlock(data)}${end}`;
}

const end = '</body></html>';

/** Browsers neither run nor read it. Without a < it cannot end early, nor hold a comment. */
function dataBlock(json: string): string {
  return `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`;
}

/** An empty page, which its script fills. */
export function pageHtml(entry: string, language: string, files: BrowserFiles): string {
  const body = (
    <>
      <div id="app" />
      <noscript>{needsScript}</noscript>
    </>
  );
  return documentHtml({ entry, language, files, title: 'Helpdesk', body });
}

const needsScript = 'Helpdesk needs JavaScript. Turn it on for this address and reload the page.';

function Html({ entry, language, files, title, styles = [], body, still = null }: Document) {
  const page = files.pages[entry];
  if (page === undefined) throw new Error(`There is no page ${entry}.`);
  const at = (name: string) => `${assetPath}${name}`;
  return (
    <html lang={language} data-theme={still ?? undefined}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {still === null && <script src={at(files.themeScript)} />}
        {[at(page.style), ...styles].map((path) => (
          <link key={path} rel="stylesheet" href={path} />
        ))}
        <link rel="icon" href={at(files.icon)} type="image/svg+xml" />
        {entry === 'console' && <link rel="manifest" href={manifestPath} />}
        {entry === 'console' && <link rel="apple-touch-icon" href={`${picturePath}apple-touch-icon.png`} />}
        {still === null && <Scripts page={page} language={language} reload={files.reloadScript} />}
      </head>
      <body>{body}</body>
    </html>
  );
}

interface ScriptsProps {
  page: PageFiles;
  language: string;
  reload: string | null;
}

function Scripts({ page, language, reload }: ScriptsProps) {
  return (
    <>
      {[...page.preloads, ...(page.messages[language] ?? [])].map((name) => (
        <link key={name} rel="modulepreload" href={assetPath + name} />
      ))}
      <script type="module" src={assetPath + page.script} />
      {reload !== null && <script src={assetPath + reload} defer />}
    </>
  );
}

// The HTML of a page: an empty document that names its scripts. The browser code fills it.

import type { BrowserFiles } from './browser-files.ts';

export const assetPath = '/assets/';
export const changesPath = `${assetPath}changes`;

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

/** The other headers of a page are those of every answer (src/http/app.ts). */
export const pageHeaders: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy,
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** @param language one of the languages that the files have messages in */
export function pageHtml(entry: string, language: string, files: BrowserFiles): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>Helpdesk</title>
${headHtml(entry, language, files)}</head>
<body>
<div id="app"></div>
<noscript>Helpdesk needs JavaScript. Turn it on for this address and reload the page.</noscript>
</body>
</html>
`;
}

/**
 * What the head of every page has after its title.
 * @param styles paths of more stylesheets
 */
export function headHtml(entry: string, language: string, files: BrowserFiles, styles: readonly string[] = []): string {
  const page = files.pages[entry];
  if (page === undefined) throw new Error(`There is no page ${entry}.`);
  const at = (name: string) => `${assetPath}${name}`;
  const modules = [...page.preloads, ...(page.messages[language] ?? [])];
  const sheets = [at(page.style), ...styles];
  return `<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<script src="${at(files.themeScript)}"></script>
${sheets.map((path) => `<link rel="stylesheet" href="${path}">\n`).join('')}<link rel="icon" href="${at(files.icon)}" type="image/svg+xml">
${modules.map((name) => `<link rel="modulepreload" href="${at(name)}">\n`).join('')}<script type="module" src="${at(page.script)}"></script>
${files.reloadScript === null ? '' : `<script src="${at(files.reloadScript)}" defer></script>\n`}`;
}

// Variables in texts that the team writes once and the desk fills in: {{site.name}}.

const variable = /\{\{([^{}\n]{0,200})\}\}/g;

/** Their names, each once. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(variable)].map(([, inner = '']) => inner.trim()))];
}

/** Variables are not nested, and a brace that was forgotten would be sent as it is. */
export const hasStrayBraces = (text: string): boolean => /\{\{|\}\}/.test(text.replace(variable, ''));

// An answer names no more unknown variables than this.
const mostNamed = 10;

/** What is wrong with variables that no one knows, in words for the field that has them. */
export function unknownInWords(unknown: readonly string[]): string[] {
  return unknown.slice(0, mostNamed).map((name) => `names the unknown variable {{${name}}}.`);
}

/** Values are put in once: what looks like a variable in a value stays as it is. */
export function fillIn(body: string, format: 'text' | 'markdown', filled: (name: string) => string): string {
  return body.replace(variable, (_whole, inner: string) => {
    const value = filled(inner.trim());
    return format === 'markdown' ? plainInMarkdown(value) : value;
  });
}

// What begins a heading, a list or a rule at the start of a line.
const lineStart = /^(?:([#+=-])(?=[#+=\s-]|$)|(\d{1,9})(?=[.)]))/;

/** Text that Markdown shows as it is: a name must not become a link, an image or a heading. */
function plainInMarkdown(value: string): string {
  return value
    .split('\n')
    .map((text) =>
      text
        .trim()
        .replace(/[\\`*_[\]<>&|~!]/g, '\\$&')
        .replace(/:(?=\/\/)/g, '\\:')
        .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}\\.`)
        .replace(lineStart, (_whole, mark?: string, digits?: string) =>
          digits === undefined ? `\\${mark}` : `${digits}\\`,
        ),
    )
    .join('\n');
}

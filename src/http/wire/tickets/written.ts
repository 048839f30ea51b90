// What agents write, with its Markdown as HTML. It is rendered before the step that stores it, and the renderer is loaded on first use.

import type { Written } from '../../../desk/tickets/replies.ts';

type Given = Pick<Written, 'body' | 'body_format'>;

export async function rendered<Input extends Given>(input: Input): Promise<Input & { html: string | null }> {
  if (input.body_format !== 'markdown') return { ...input, html: null };
  const { renderMarkdown } = await import('../../../mail/markdown.ts');
  return { ...input, html: renderMarkdown(input.body) };
}

// Prints how long the slowest of 10,000 hostile characters of Markdown take: as HTML, and as the text part of a mail.

import { renderMarkdown } from '../src/mail/markdown.ts';
import { writtenAsText } from '../src/mail/outgoing/written-text.ts';
import { hostile } from '../test/mail/hostile-markdown.ts';

/** Of several runs. Other programs share the machine, and other threads of this one count into its processor time. */
function leastMs(act: () => unknown): number {
  const times = Array.from({ length: 12 }, () => {
    const [startedAt, used] = [performance.now(), process.cpuUsage()];
    act();
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - startedAt, (user + system) / 1000);
  });
  return Math.min(...times);
}

const times = Object.entries(hostile).map(([name, source]) => {
  const html = renderMarkdown(source);
  return {
    name,
    htmlMs: leastMs(() => renderMarkdown(source)),
    textMs: leastMs(() => writtenAsText(source, html)),
  };
});
for (const kind of ['htmlMs', 'textMs'] as const) {
  const [slowest] = times.toSorted((one, other) => other[kind] - one[kind]);
  console.log(
    `${kind === 'htmlMs' ? 'HTML' : 'text'}: ${slowest?.[kind].toFixed(1)} ms (budget 50 ms), ${slowest?.name}`,
  );
}

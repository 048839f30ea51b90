// Code or a message as it is. What is long scrolls, so the keyboard must reach it.

export function ScrolledCode({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section class="scrolled-code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

// What the page does inside the frame of a mail, which runs no scripts of its own.

/** Folds the quotation at the end, with the line that introduces it. An answer below or between quotations stays open. */
export function foldHistory(page: Document, label: string): void {
  const last = [...page.querySelectorAll('blockquote')].findLast(
    (quote) => quote.parentElement?.closest('blockquote') === null,
  );
  if (last === undefined || textBetween(page, last, 'after') !== '' || textBetween(page, last, 'before') === '') return;
  const introduction = last.previousElementSibling;
  const details = page.createElement('details');
  const summary = page.createElement('summary');
  summary.textContent = '•••';
  summary.title = label;
  summary.setAttribute('aria-label', label);
  last.before(details);
  details.append(summary);
  if (introduction !== null && /^.{1,300}[:：]\s*$/s.test(introduction.textContent?.trim() ?? ''))
    details.append(introduction);
  details.append(last);
}

function textBetween(page: Document, element: Element, side: 'before' | 'after'): string {
  const range = page.createRange();
  range.selectNodeContents(page.body);
  if (side === 'after') range.setStartAfter(element);
  else range.setEndBefore(element);
  return range.toString().trim();
}

const scrollbarPx = 16;

/** Keeps the frame as high as its content. @returns ends it */
export function fitHeight(frame: HTMLIFrameElement, page: Document): () => void {
  const root = page.documentElement;
  const fit = () => {
    const isWide = root.scrollWidth > root.clientWidth;
    frame.style.height = `${Math.ceil(root.getBoundingClientRect().height) + (isWide ? scrollbarPx : 0)}px`;
  };
  const observer = new ResizeObserver(fit);
  observer.observe(root);
  fit();
  return () => observer.disconnect();
}

/** Shortcuts work also after a click into the frame. */
export function passKeysOn(frame: HTMLIFrameElement, page: Document): void {
  page.addEventListener('keydown', ({ key, code, ctrlKey, metaKey, shiftKey, altKey }) => {
    frame.dispatchEvent(
      new KeyboardEvent('keydown', { key, code, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true }),
    );
  });
}

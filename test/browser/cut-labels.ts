// Words that do not fit their place: runs in the page, so it uses nothing but the page.

/** Labels that are cut or stand on more than one line, and content that is cut without a title that has the whole of it. */
export function cutLabels(): string[] {
  const labels =
    'button, .button, summary, [role="tab"], [role="menuitem"], [role="menuitemradio"], [role="columnheader"], thead th, dt, legend, label, .rail-link, .badge, time.age, time.due, .list-count, .keycap';
  // Whole sentences, and text that people wrote.
  const sentences =
    '.toasts, .live-bars, .subject, .settings-section :is(label, summary, th), .choice, .choice *, .thread, .combobox-option, .history, .hidden, .skip';
  const found = new Set<string>();
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getClientRects().length > 0 &&
    element.closest('.hidden, .skip, [aria-hidden="true"]') === null;
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} “${element.textContent?.trim().slice(0, 60)}”`;
  const linesOf = (element: Element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const tops = [...range.getClientRects()]
      .filter(({ width, height }) => width > 1 && height > 6)
      .map(({ top, height }) => top + height / 2);
    return tops.length === 0 ? 0 : Math.max(...tops) - Math.min(...tops);
  };
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!isSeen(element) || (element.textContent ?? '').trim() === '') continue;
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '');
    const isCut =
      display !== 'inline' &&
      element.scrollWidth > element.clientWidth + 1 &&
      overflowX !== 'auto' &&
      overflowX !== 'scroll';
    if (isCut && (hasWords || textOverflow === 'ellipsis')) {
      const isInCell = element.closest('[role="row"] .cell:not([role="columnheader"])') !== null;
      const isLabel = element.closest(labels) !== null && (!isInCell || element.closest('time') !== null);
      const isContent = element.closest('.subject') !== null;
      if (isLabel && !isContent)
        found.add(`cut: ${name(element)}: ${element.scrollWidth} of ${element.clientWidth} px`);
      else if (element.closest('[title]') === null)
        found.add(`no title: ${name(element)}: ${element.scrollWidth} of ${element.clientWidth} px`);
    }
  }
  const pen = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input:placeholder-shown, textarea:placeholder-shown',
  )) {
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight, textWrapMode } = getComputedStyle(field);
    if (!isSeen(field) || pen === null || (field.tagName === 'TEXTAREA' && textWrapMode !== 'nowrap')) continue;
    // `font` itself is empty where one of its parts is set to what it cannot say.
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const wide = pen.measureText(field.placeholder).width;
    if (wide > room + 1) found.add(`cut: “${field.placeholder}”: ${Math.round(wide)} of ${room} px`);
  }
  for (const element of document.querySelectorAll<HTMLElement>(labels)) {
    if (
      !isSeen(element) ||
      element.closest(sentences) !== null ||
      element.querySelector('p, ul, input, select, textarea') !== null
    )
      continue;
    if (linesOf(element) > 12) found.add(`on several lines: ${name(element)}`);
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
      const { overflowX } = getComputedStyle(parent);
      if (overflowX === 'visible') continue;
      const [inner, outer] = [element.getBoundingClientRect(), parent.getBoundingClientRect()];
      const isOut = inner.right > outer.right + 1 || inner.left < outer.left - 1;
      if ((overflowX === 'hidden' || overflowX === 'clip') && isOut) found.add(`outside: ${name(element)}`);
      break;
    }
  }
  return [...found];
}

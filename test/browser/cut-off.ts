// What does not fit: runs in the page, so it uses nothing but the page.

/** What is wider than the place that it has, or beyond the edge of the page. What ends in dots or scrolls may be longer. */
export function cutOff(): string[] {
  const root = document.documentElement;
  const found = root.scrollWidth > root.clientWidth ? [`the page: ${root.scrollWidth} of ${root.clientWidth} px`] : [];
  for (const pane of document.querySelectorAll('main, main :not(.bulk-actions, .scrolled-code, .report-table)')) {
    const { overflowY } = getComputedStyle(pane);
    if ((overflowY === 'auto' || overflowY === 'scroll') && pane.scrollWidth > pane.clientWidth + 1)
      found.push(`${pane.tagName} ${pane.className}: scrolls sideways, ${pane.scrollWidth} of ${pane.clientWidth} px`);
  }
  const isCalm = (element: Element) => {
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    return display === 'inline' || textOverflow === 'ellipsis' || overflowX === 'auto' || overflowX === 'scroll';
  };
  const isInside = (element: Element): boolean => {
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(parent);
      if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll<HTMLElement>(
    'h1, h2, p, label, a, button, li, dialog, .row, .field, [role="combobox"], [role="tab"], [role="menuitem"]',
  )) {
    if (element.closest('.hidden, .skip, .toasts') !== null || element.offsetParent === null) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    // Only for screen readers.
    if (element.clientWidth === 1) continue;
    const words = `${element.tagName} ${element.className} ${element.textContent?.slice(0, 60)}`;
    if (element.scrollWidth > element.clientWidth + 1 && !isCalm(element))
      found.push(`${words}: ${element.scrollWidth} of ${element.clientWidth} px`);
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 1 && (left < -1 || right > root.clientWidth + 1) && !isInside(element)) found.push(`outside: ${words}`);
  }
  return found;
}

// Copying text. Browsers have no clipboard for pages over plain http.

export const canCopy = typeof navigator !== 'undefined' && navigator.clipboard !== undefined;

/** The browser or its user may have refused. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Over plain http too, where only the old way works: selected text, and during a click or key press. */
export async function copyAnywhere(text: string): Promise<boolean> {
  if (canCopy) return await copyText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'hidden';
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}

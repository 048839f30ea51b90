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

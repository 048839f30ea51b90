// The time in the browser.

export function now(): number {
  return Date.now();
}

// A first look at an address. The desk checks it again.

export function isAddressLike(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

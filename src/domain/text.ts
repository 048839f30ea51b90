// Lengths in characters, and text from outside made safe to store.

/** Counts code points, as JSON Schema's maxLength does, not UTF-16 units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff && at + 1 < text.length) {
      const next = text.charCodeAt(at + 1);
      if (next >= 0xdc00 && next <= 0xdfff) at += 1;
    }
    count += 1;
  }
  return count;
}

export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count += 1) {
    const unit = text.charCodeAt(end);
    end += unit >= 0xd800 && unit <= 0xdbff && end + 1 < text.length ? 2 : 1;
  }
  return text.slice(0, end);
}

export function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '') : wellFormed;
}

/** Empty if no one could see anything in it. */
export function cleanLine(text: string): string {
  const line = cleanText(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return /[^\p{Z}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u.test(line) ? line : '';
}

/** For a URL: `Web shop` becomes `web-shop`. Empty when nothing is left. */
export function slugify(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');
}

export function firstFreeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  for (let attempt = 1; ; attempt += 1) {
    const candidate = attempt === 1 ? slug : `${slug.slice(0, 58)}-${attempt}`;
    if (!isTaken(candidate)) return candidate;
  }
}

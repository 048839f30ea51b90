// What a page says of a file that a virus scanner checks.

interface Scanned {
  scan: { status: string; found: string | null } | null;
}

/** The desk does not hand it out. */
export const isWithheld = ({ scan }: Scanned) => scan?.status === 'waiting' || scan?.status === 'infected';

/** With what the scanner says, for its colour. */
export const fileClass = ({ scan }: Scanned) => (scan === null ? 'file' : `file is-${scan.status}`);

interface Words {
  waiting: string;
  infected: (name: string) => string;
  unchecked: string;
}

/** Null when there is nothing to say. */
export function scanText({ scan }: Scanned, { infected, ...words }: Words): string | null {
  if (scan?.status === 'infected') return infected(scan.found ?? '?');
  return (words as Record<string, string>)[scan?.status ?? ''] ?? null;
}

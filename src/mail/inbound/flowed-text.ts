// Joins the lines that a mail program broke (format=flowed, RFC 3676), and no others.

/** 'spaces_added': each break came with a space that belongs to no word (DelSp=yes). */
export type Flow = 'spaces_kept' | 'spaces_added';

/** The parser's own way joins across marks of quotation and empty lines. Takes decoded text in a charset that begins as ASCII. */
export function unflow(bytes: Buffer, flow: Flow): Buffer {
  // UTF-16 and the like: its bytes are not characters.
  if (bytes.includes(0)) return bytes;
  const lines: string[] = [];
  let openDepth: number | null = null;
  // Byte by byte, so that text in any such charset stays as it is.
  for (const written of bytes.toString('latin1').split(/\r?\n/)) {
    const depth = written.search(/[^>]|$/);
    // Without what a program puts before a line that begins with a space, "From" or a mark.
    const start = written[depth] === ' ' ? depth + 1 : depth;
    const text = written.slice(start);
    const standsAlone = text === '-- ' || text.trim() === '';
    const isBroken = !standsAlone && text.endsWith(' ');
    const words = isBroken && flow === 'spaces_added' ? text.slice(0, -1) : text;
    if (depth === openDepth && !standsAlone) lines[lines.length - 1] += words;
    else lines.push(depth === 0 ? words : written.slice(0, start) + words);
    openDepth = isBroken ? depth : null;
  }
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

// The text of an event stream, cut into what the desk said.

export interface Frame {
  event: string;
  /** Null for what is not numbered. */
  seq: number | null;
  data: unknown;
}

/** Takes the text as it arrives, and gives back the frames that it completed. */
export function createFrameReader(): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.flatMap((part) => frameOf(part) ?? []);
  };
}

function frameOf(part: string): Frame | null {
  const fields = new Map<string, string>();
  for (const line of part.split('\n')) {
    const at = line.indexOf(':');
    // Lines that begin with a colon only keep the stream open.
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trimStart());
  }
  const event = fields.get('event');
  const data = fields.get('data');
  if (event === undefined || data === undefined) return null;
  const seq = fields.get('id');
  return { event, seq: seq === undefined ? null : Number(seq), data: JSON.parse(data) };
}

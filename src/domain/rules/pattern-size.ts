// The size of a regular expression's program, read from its text: compiling it to find out could take long.

const enough = 1_000_000_000;

/** Steps of the compiled program, approximately and never fewer than RE2 needs. Repeats count what they repeat: `(ab){100}` is over 200. */
export function patternSize(pattern: string): number {
  // One frame per open bracket: the size before the last piece, and the last piece, which a repeat applies to.
  const open: { before: number; last: number }[] = [];
  let frame = { before: 0, last: 0 };
  const piece = (size: number) => {
    frame.before = Math.min(enough, frame.before + frame.last);
    frame.last = size;
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === '\\') {
      if (pattern[at + 1] === 'Q') {
        const end = pattern.indexOf('\\E', at + 2);
        const stop = end === -1 ? pattern.length : end;
        for (let quoted = at + 2; quoted < stop; quoted += 1) piece(1);
        at = end === -1 ? pattern.length : end + 1;
        continue;
      }
      at = endOfEscape(pattern, at);
      piece(1);
    } else if (char === '[') {
      at = endOfClass(pattern, at);
      piece(1);
    } else if (char === '(') {
      open.push(frame);
      frame = { before: 0, last: 0 };
      // The letters of (?i: and (?P<name> are not pieces.
      at += /^\?(?:[a-zA-Z-]+[:)]|:|P?<\w+>)/.exec(pattern.slice(at + 1, at + 60))?.[0].length ?? 0;
      if (pattern[at] === ')') frame = open.pop() ?? frame;
    } else if (char === ')') {
      const inner = frame.before + frame.last + 2;
      frame = open.pop() ?? { before: 0, last: 0 };
      piece(inner);
    } else if (char === '|') piece(1);
    else if (char === '*' || char === '+' || char === '?') frame.last += 1;
    else if (char === '{') {
      const counts = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(pattern.slice(at, at + 30));
      if (counts === null) piece(1);
      else {
        const [whole, least = '0', comma, most = ''] = counts;
        frame.last = repeated(frame.last, Number(least), comma === undefined ? Number(least) : most);
        at += whole.length - 1;
      }
    } else piece(1);
    frame.last = Math.min(enough, frame.last);
  }
  let size = frame.before + frame.last;
  for (const { before, last } of open) size += before + last;
  return Math.min(enough, size + 2);
}

function repeated(size: number, least: number, most: string | number): number {
  if (most === '') return size * Math.max(1, least) + 1;
  return size * least + (size + 1) * Math.max(0, Number(most) - least);
}

function endOfEscape(pattern: string, at: number): number {
  const found = /^\\(?:[pP]\{[^}]*\}|[pP].|x\{[^}]*\}|x[\da-fA-F]{2}|[\s\S])/u.exec(pattern.slice(at, at + 40));
  return at + (found?.[0].length ?? 1) - 1;
}

function endOfClass(pattern: string, at: number): number {
  // A closing bracket in first place is literal.
  let end = at + (pattern[at + 1] === '^' ? 2 : 1);
  if (pattern[end] === ']') end += 1;
  for (; end < pattern.length && pattern[end] !== ']'; end += 1) {
    if (pattern[end] === '\\') end += 1;
    else if (pattern.startsWith('[:', end)) {
      const close = pattern.indexOf(':]', end + 2);
      if (close !== -1) end = close + 1;
    }
  }
  return Math.min(end, pattern.length - 1);
}

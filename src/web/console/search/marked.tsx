// Text with the words of a search marked.

import { withoutBidi } from '../../shared/bidi.ts';
import { markedParts } from './marked-parts.ts';

/** What is longer keeps room for some words after the first mark. */
const longAfter = 8;

/** Where the text is cut, the first mark stays in sight. */
export function Marked({ text, search }: { text: string; search: string }) {
  const parts = markedParts(withoutBidi(text), search);
  const first = parts.findIndex(({ isMarked }) => isMarked);
  if (first === -1) return withoutBidi(text);
  const before = parts[first - 1]?.text ?? '';
  const after = parts.slice(first + 1);
  const isLong = after.map((part) => part.text).join('').length > longAfter;
  return (
    <span class="found">
      {before !== '' && <span>{before}</span>}
      <mark>{parts[first]?.text}</mark>
      {after.length > 0 && (
        <span class={`after-found${isLong ? ' is-long' : ''}`}>
          {after.map((part, index) => (part.isMarked ? <mark key={index}>{part.text}</mark> : part.text))}
        </span>
      )}
    </span>
  );
}

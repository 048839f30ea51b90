// Text with the words of a search marked.

import { withoutBidi } from '../../shared/bidi.ts';
import { markedParts } from './marked-parts.ts';

export function Marked({ text, search }: { text: string; search: string }) {
  return (
    <>
      {markedParts(withoutBidi(text), search).map((part, index) =>
        part.isMarked ? <mark key={index}>{part.text}</mark> : part.text,
      )}
    </>
  );
}

// An answer that may be very long: read, written and sent in pieces, each in a turn of its own, as fast as the client takes them.

import { Readable } from 'node:stream';
import { compressedStream } from './compression.ts';
import type { Call } from './operation.ts';
import { turnsOf } from './turns.ts';
import { jsonPieces, type View } from './wire/long-lists.ts';
import { emptyReply, isKnown, type Reply } from './wire/respond.ts';

interface Begun {
  data(): object;
  headers?: Record<string, string>;
}

const pieceCharacters = 128 * 1024;
const mostMs = 5000;

/** 200 with `data`, which is not read for who knows its ETag. What fits into one piece is answered at once. @param begin runs in the first step */
export function longAnswer(call: Call, begin: (view: View) => Begun): Reply | Response {
  const { desk, reportFault } = call.edge;
  const begun = desk.read((tx) => {
    const view = { tx };
    const { data, headers = {} } = begin(view);
    const isUnchanged = headers.ETag !== undefined && isKnown(call.header('if-none-match'), headers.ETag);
    const writer = createWriter(view, isUnchanged ? [].values() : jsonPieces(data()));
    while (!writer.hasPiece()) writer.step(tx);
    return { headers, isUnchanged, writer };
  });
  const { headers, isUnchanged, writer } = begun;
  if (isUnchanged) return emptyReply(304, headers);
  const first = writer.take();
  if (writer.isOver()) return { status: 200, body: first, headers };
  if (call.request.method === 'HEAD') return new Response(null, { headers });

  async function* texts(): AsyncGenerator<Buffer> {
    for (let text = first; ; text = writer.take()) {
      yield Buffer.from(text);
      if (writer.isOver()) return;
      await nextPiece();
    }
  }
  async function nextPiece(): Promise<void> {
    try {
      await turnsOf(desk).run((tx) => {
        writer.step(tx);
        return writer.hasPiece();
      }, mostMs);
    } catch (error) {
      reportFault(error, 'a long answer broke off');
      throw error;
    }
  }
  return compressedStream(Readable.from(texts(), { objectMode: false }), headers, call.request.headers);
}

function createWriter(view: View, texts: Iterator<string>) {
  let piece = '';
  let isOver = false;
  return {
    step(tx: View['tx']): void {
      view.tx = tx;
      const { value, done = false } = texts.next();
      isOver = done;
      if (!done) piece += value;
    },
    hasPiece: () => isOver || piece.length >= pieceCharacters,
    take() {
      const taken = piece;
      piece = '';
      return taken;
    },
    isOver: () => isOver,
  };
}

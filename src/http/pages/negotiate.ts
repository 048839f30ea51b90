// The encodings and languages that a browser prefers.

import { type Encoding, encodings } from './browser-files.ts';

function weightsOf(header: string | undefined): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').slice(0, 1000).split(',')) {
    const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const number = weight === undefined ? 1 : Number(weight.slice(2));
    if (value !== '' && number >= 0) weights.set(value, number);
  }
  return weights;
}

export function encodingFor(acceptEncoding: string | undefined, isOffered: (encoding: Encoding) => boolean): Encoding {
  const weights = weightsOf(acceptEncoding);
  const isTaken = (encoding: string) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0;
  return encodings.find((encoding) => isOffered(encoding) && isTaken(encoding)) ?? 'identity';
}

/** The available language that the browser prefers, or English. */
export function languageFor(acceptLanguage: string | undefined, languages: readonly string[]): string {
  let best = { language: 'en', weight: 0 };
  for (const [tag, weight] of weightsOf(acceptLanguage)) {
    const language = tag.split('-')[0] ?? '';
    if (weight > best.weight && languages.includes(language)) best = { language, weight };
  }
  return best.language;
}

// Which images a logo can be: the type that it names is what its bytes say.

import { describe, expect, test } from 'bun:test';
import { type LogoType, logoTypeOf, logoUrl, maxLogoBytes, readLogo } from '../../../src/domain/sites/logo.ts';
import { anImage } from '../../support/images.ts';

const url = (type: string, bytes: Uint8Array) => `data:${type};base64,${bytes.toBase64()}`;

describe('an image of a known type', () => {
  test.each<LogoType>(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])(
    '%s is taken and written again',
    (type) => {
      const bytes = anImage(type);
      expect(logoTypeOf(bytes)).toBe(type);
      const read = readLogo(url(type, bytes));
      expect(read).toEqual({ contentType: type, bytes });
      expect(logoUrl({ contentType: type, bytes })).toBe(url(type, bytes));
    },
  );

  test('has at most 100 KB', () => {
    const padded = (length: number) => {
      const bytes = new Uint8Array(length);
      bytes.set(anImage('image/png'));
      return url('image/png', bytes);
    };
    expect(typeof readLogo(padded(maxLogoBytes))).toBe('object');
    expect(readLogo(padded(maxLogoBytes + 1))).toBe('must have at most 100 KB.');
    expect(readLogo(padded(10 * maxLogoBytes))).toBe('must have at most 100 KB.');
  });
});

const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const notOne = 'must be a PNG, JPEG, WebP or GIF image as a data: URL in base64.';

test.each([
  ['SVG', url('image/svg+xml', svg), notOne],
  ['SVG that calls itself a PNG', url('image/png', svg), 'must have the content that its type promises.'],
  [
    'a JPEG that calls itself a GIF',
    url('image/gif', anImage('image/jpeg')),
    'must have the content that its type promises.',
  ],
  ['an address', 'https://elsewhere.example/logo.png', notOne],
  ['a script', 'javascript:alert(1)', notOne],
  ['a path that climbs', '/s/../../etc/passwd', notOne],
  ['data without base64', 'data:image/png,abc', notOne],
  ['a type with parameters', 'data:image/png;charset=x;base64,AAAA', notOne],
  ['HTML in front', `<b>${url('image/png', anImage('image/png'))}`, notOne],
  ['broken base64', 'data:image/png;base64,iVBORw0KGgo*', 'must be valid base64.'],
  [
    'an image cut after its signature',
    url('image/png', anImage('image/png').slice(0, 16)),
    'must have the content that its type promises.',
  ],
  ['nothing', '', notOne],
])('%s is refused', (_, value, reason) => {
  expect(readLogo(value)).toBe(reason);
});

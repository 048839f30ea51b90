// Pages that load nothing on demand have only the first icons.

import { expect, test } from 'bun:test';
import { iconPaths } from '../../src/web/shared/icon-paths.ts';

const root = new URL('../../src/web/', import.meta.url).pathname;

test('what is shown first names no icon that is loaded on demand', async () => {
  const folders = [
    'customer',
    'sign-in',
    'shared',
    'console/shell',
    'console/views',
    'console/live',
    'console/list/rows',
  ];
  const paths = folders.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.tsx`).scanSync(root)]);
  const sources = await Promise.all(paths.map((path) => Bun.file(root + path).text()));
  const named = sources.flatMap((text) =>
    [...text.matchAll(/(?:<Icon name|\bicon)=("[a-z]+"|\{[^}]*\})/g)].flatMap(([, how = '']) =>
      [...how.matchAll(/["']([a-z]+)["']/g)].map(([, name = '']) => name),
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !Object.hasOwn(iconPaths, name))).toEqual([]);
});

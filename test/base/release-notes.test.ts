// What changed since a version, from the change log.

import { expect, test } from 'bun:test';
import { releasesSince } from '../../src/base/release-notes.ts';
import { version } from '../../src/base/version.ts';

const log = `# Changelog

Words.

## Unreleased

### New

- One with \`code\`.
- Two.

### Fixed

- Three.

## 0.3.0 - 2026-11-24

### New

- Four.

## 0.2.0 - 2026-11-23

- No group.

## 0.1.0
`;

test('has each version after the one that ran before, and its groups', () => {
  const [next, newest, ...rest] = releasesSince('0.2.0', log);
  expect(next).toEqual({
    title: 'Unreleased',
    groups: [
      { title: 'New', lines: ['One with `code`.', 'Two.'] },
      { title: 'Fixed', lines: ['Three.'] },
    ],
  });
  expect(newest?.title).toBe('0.3.0 - 2026-11-24');
  expect(rest).toEqual([]);
});

test('without a version before, or with one that is not there, has the newest alone', () => {
  const titles = ['Unreleased', '0.3.0 - 2026-11-24'];
  expect(releasesSince(null, log).map(({ title }) => title)).toEqual(titles);
  expect(releasesSince('0.0.9', log).map(({ title }) => title)).toEqual(titles);
});

test('reads the change log of this version', () => {
  const releases = releasesSince(null);
  expect(releases.at(-1)?.title).toStartWith(`${version} `);
  expect(releases.flatMap(({ groups }) => groups.flatMap(({ lines }) => lines)).length).toBeGreaterThan(10);
});

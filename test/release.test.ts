// What the release script recognises as an executable: by headers made here, and by the Bun that runs this. What a module keeps of its build.

import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { executableKind } from '../scripts/executable-kind.ts';
import { withoutPaths } from '../scripts/without-paths.ts';

function elf(machine: number, loader: string | null, bits = 2): Uint8Array {
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, bits, 1, 1]);
  view.setUint16(18, machine, true);
  view.setBigUint64(32, 64n, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 2, true);
  view.setUint32(64, 6, true);
  view.setUint32(120, loader === null ? 1 : 3, true);
  view.setBigUint64(120 + 8, 300n, true);
  view.setBigUint64(120 + 32, BigInt(loader?.length ?? 0), true);
  bytes.set(new TextEncoder().encode(loader ?? ''), 300);
  return bytes;
}

function machO(machine: number): Uint8Array {
  const bytes = new Uint8Array(64);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0xfeedfacf, true);
  view.setUint32(4, machine, true);
  return bytes;
}

function pe(machine: number, mark = 0x50450000): Uint8Array {
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x4d5a);
  view.setUint32(0x3c, 128, true);
  view.setUint32(128, mark);
  view.setUint16(132, machine, true);
  return bytes;
}

describe('an executable is for', () => {
  const rows: [string, Uint8Array, string | null][] = [
    ['Linux on x64', elf(0x3e, '/lib64/ld-linux-x86-64.so.2\0'), 'linux-x64'],
    ['Linux on arm64', elf(0xb7, '/lib/ld-linux-aarch64.so.1\0'), 'linux-arm64'],
    ['musl on x64', elf(0x3e, '/lib/ld-musl-x86_64.so.1\0'), 'linux-x64-musl'],
    ['musl on arm64', elf(0xb7, '/lib/ld-musl-aarch64.so.1\0'), 'linux-arm64-musl'],
    ['macOS on arm64', machO(0x0100000c), 'darwin-arm64'],
    ['macOS on x64', machO(0x01000007), 'darwin-x64'],
    ['Windows on x64', pe(0x8664), 'windows-x64'],
    ['nothing: Linux on another processor', elf(0xf3, '/lib/ld-linux-riscv64-lp64d.so.1\0'), null],
    ['nothing: another loader', elf(0x3e, '/system/bin/linker64\0'), null],
    ['nothing: no loader', elf(0x3e, null), null],
    ['nothing: 32 bits', elf(0x3e, '/lib64/ld-linux-x86-64.so.2\0', 1), null],
    ['nothing: macOS on another processor', machO(7), null],
    ['nothing: DOS', pe(0x8664, 0), null],
    ['nothing: a script', new TextEncoder().encode('#!/bin/sh\necho 0.1.0\n'), null],
    ['nothing: no bytes', new Uint8Array(0), null],
  ];
  test.each(rows)('%s', (_, bytes, kind) => {
    expect(executableKind(bytes)).toBe(kind);
  });

  test('nothing, when it is cut short anywhere before what tells', () => {
    for (const [, bytes, kind] of rows) {
      if (kind === null) continue;
      for (let length = 0; length < 64; length += 1)
        expect([null, kind]).toContain(executableKind(bytes.slice(0, length)));
      expect(executableKind(bytes.slice(0, 7))).toBeNull();
    }
  });

  test('this machine, when it is what runs here', () => {
    const kind = executableKind(readFileSync(process.execPath));
    const system = process.platform === 'win32' ? 'windows' : process.platform;
    expect(kind).toStartWith(`${system}-${process.arch}`);
  });
});

test('a module for Node says the same wherever it was built', () => {
  const builtIn = (folder: string) =>
    withoutPaths(`var __dirname="${folder}/node_modules/pino/lib";var node="./src/platform/node/*";`, folder);
  expect(builtIn('/src')).toBe('var __dirname="./node_modules/pino/lib";var node="./src/platform/node/*";');
  expect(builtIn('/opt/helpdesk')).toBe(builtIn('/src'));
});

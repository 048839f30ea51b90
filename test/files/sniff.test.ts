// Files are what their names say, or known not to be.

import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionOf } from '../../src/domain/tickets/files.ts';
import { anyType, cleanFilename, namedByContent, programEnding, sniffContentType } from '../../src/files/sniff.ts';
import { temporaryFolder } from '../support/folders.ts';

const folder = temporaryFolder();
let made = 0;
function file(bytes: string | Uint8Array): string {
  made += 1;
  const path = join(folder, `${made}`);
  writeFileSync(path, bytes);
  return path;
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1');
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
const webp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64');
const jpg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from('JFIF\0'), Buffer.alloc(64)]);

describe('a file', () => {
  const rows: [name: string, bytes: Uint8Array | string, type: string | null][] = [
    ['a.png', png, 'image/png'],
    ['A.PNG', png, 'image/png'],
    ['a.gif', gif, 'image/gif'],
    ['a.pdf', pdf, 'application/pdf'],
    ['a.pdf', `\ufeff\r\n \n${pdf}`, 'application/pdf'],
    ['a.pdf', `words\n${pdf}`, null],
    ['a.jpg', jpg, 'image/jpeg'],
    ['a.jpeg', jpg, 'image/jpeg'],
    ['a.txt', 'plain', 'text/plain'],
    ['a.txt', '', 'text/plain'],
    ['ümläut.txt', 'naïve ☃', 'text/plain'],
    ['a.txt', 'BMW 320 does not start', 'text/plain'],
    ['a.txt', 'MZ and ID3 are the beginnings of programs and songs', 'text/plain'],
    ['a.txt', '<?xml version="1.0"?><order id="7"/>', 'text/plain'],
    ['a.txt', 'solid state drive is full', 'text/plain'],
    ['a.txt', 'BEGIN:VCARD', 'text/plain'],
    ['a.txt', Buffer.from('\ufeffsystem info of Köln', 'utf16le'), 'text/plain'],
    ['a.txt', Buffer.from('\ufeffsystem info', 'utf16le').swap16(), 'text/plain'],
    ['a.txt', Buffer.from('Grüße aus Köln', 'latin1'), 'text/plain'],
    ['a.txt', Buffer.from('\ufeffnul \0 inside', 'utf16le'), null],
    ['a.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), jpg.subarray(1)]), null],
    ['a.txt', pdf, null],
    ['a.txt', gif, null],
    ['a.txt', jpg, null],
    ['a.txt', 'nul \0 inside', null],
    ['a.txt', png, null],
    ['a.png', pdf, null],
    ['a.pdf', png, null],
    ['a.jpg', 'text', null],
    ['a.docx', 'PK\x03\x04 not really', null],
    ['a.doc', 'text', null],
    ['a.png', '', null],
    ['a.png', '<svg xmlns="http://www.w3.org/2000/svg"/>', null],
    ['a.webp', webp, 'image/webp'],
    ['a.webp', png, null],
    // What no browser may show is never named as what it is.
    ['a.html', '<p>', anyType],
    ['a.svg', '<svg/>', anyType],
    ['a.xml', '<?xml version="1.0"?><a/>', anyType],
    ['a.css', 'p {}', anyType],
    ['a.png.html', png, anyType],
    ['png', png, anyType],
    ['.png', png, anyType],
  ];
  for (const [name, bytes, type] of rows) {
    test(`${type === null ? 'is not what its name says' : `is ${type}`}: ${name} with ${JSON.stringify(bytes.slice(0, 8).toString())}`, async () => {
      const found = await sniffContentType(file(bytes), name);
      expect(found).toBe(type);
    });
  }
});

describe('a file is named by its content', () => {
  const rtf = Buffer.from('{\\rtf1\\ansi hello}');
  const blankPdf = Buffer.from('\r\n\r\n \n%PDF-1.7\n%%EOF\n');
  const rows: [name: string, bytes: Uint8Array | string, named: string][] = [
    ['photo.jpg', png, 'photo.png'],
    ['photo.JPEG', png, 'photo.png'],
    ['photo.png', jpg, 'photo.jpg'],
    ['photo.jfif', jpg, 'photo.jpg'],
    ['IMG_0001.HEIC', jpg, 'IMG_0001.jpg'],
    ['photo.gif', webp, 'photo.webp'],
    ['photo.webp', gif, 'photo.gif'],
    ['Screenshot', png, 'Screenshot.png'],
    ['Screenshot 2026-11-02 at 10.41.12', png, 'Screenshot 2026-11-02 at 10.41.12.png'],
    ['Mr. Smith', jpg, 'Mr. Smith.jpg'],
    ['attachment-1.bin', png, 'attachment-1.png'],
    ['scan.dat', pdf, 'scan.pdf'],
    ['bill.png', pdf, 'bill.pdf'],
    ['bill.doc', pdf, 'bill.pdf'],
    ['bill.txt', pdf, 'bill.pdf'],
    ['bill', blankPdf, 'bill.pdf'],
    ['letter.doc', rtf, 'letter.rtf'],
    ['unnamed', rtf, 'unnamed.rtf'],
    ['picture.txt', png, 'picture.png'],
    ['日本語', gif, '日本語.gif'],
    ['n'.repeat(200), png, `${'n'.repeat(196)}.png`],
    ['😀'.repeat(200), png, `${'😀'.repeat(196)}.png`],
    // What they are called is right, or nothing is known that is.
    ['photo.PNG', png, 'photo.PNG'],
    ['photo.jpeg', jpg, 'photo.jpeg'],
    ['bill.pdf', blankPdf, 'bill.pdf'],
    ['drawing.ai', pdf, 'drawing.ai'],
    ['photo.jpg', 'text', 'photo.jpg'],
    ['README', 'text', 'README'],
    ['page.html', '<p>', 'page.html'],
    ['letter.txt', 'GIF89a is the beginning of pictures', 'letter.txt'],
    ['archive.zip', 'PK\x03\x04 not really', 'archive.zip'],
    ['photo.png', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'photo.png'],
    ['empty.jpg', '', 'empty.jpg'],
  ];
  for (const [name, content, named] of rows) {
    test(`${name.slice(0, 40)} with ${JSON.stringify(content.slice(0, 8).toString())} is ${named.slice(0, 40)}`, async () => {
      const bytes = Buffer.from(content);
      const found = await namedByContent(bytes, name);
      expect(found).toBe(named);
      expect(await namedByContent(bytes, found)).toBe(named);
    });
  }
});

describe('the bytes of', () => {
  const head = (...bytes: number[]) => Buffer.concat([Buffer.from(bytes), Buffer.alloc(64)]);
  const farHeader = Buffer.alloc(64, 'x');
  farHeader.write('MZ');
  farHeader.writeUInt32LE(0x01414141, 60);
  const rows: [what: string, bytes: Uint8Array, ending: 'exe' | 'sh' | null][] = [
    ['a program for Windows', head(0x4d, 0x5a, 0x90), 'exe'],
    ['one whose code begins far behind', farHeader, 'exe'],
    ['a program for Linux', head(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1), 'exe'],
    ['a program for macOS', head(0xcf, 0xfa, 0xed, 0xfe), 'exe'],
    ['one for several processors', head(0xca, 0xfe, 0xba, 0xbe), 'exe'],
    ['a script', Buffer.from('#!/bin/sh\nrm -r ~\n'), 'sh'],
    ['a script with a blank', Buffer.from('#! /usr/bin/env python3\n'), 'sh'],
    [
      'a text',
      Buffer.from('MZ and ID3 are the beginnings of programs and songs, as everyone who reads them knows'),
      null,
    ],
    ['a text of two letters', Buffer.from('MZ'), null],
    ['a heading', Buffer.from('#! important'), null],
    ['a picture', png, null],
    ['nothing', Buffer.alloc(0), null],
  ];
  for (const [what, bytes, ending] of rows) {
    test(`${what} are ${ending ?? 'no program'}`, async () => {
      expect([await programEnding(bytes), await programEnding(file(bytes))]).toEqual([ending, ending]);
    });
  }
});

test('names are cleaned of paths, controls and what systems reserve', () => {
  const rows: [from: string, to: string][] = [
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\mia\\a.png', 'a.png'],
    ['a\r\nX-Injected: 1.png', 'aX-Injected 1.png'],
    ['a\0.png', 'a.png'],
    ['  ..hidden.txt.. ', 'hidden.txt'],
    ['a"b<c>|?*.png', 'abc.png'],
    ['invoice\u202egnp.exe', 'invoicegnp.exe'],
    ['日本語.pdf', '日本語.pdf'],
    ['\ud800.txt', '\ufffd.txt'],
    ['/', ''],
  ];
  for (const [from, to] of rows) expect(cleanFilename(from)).toBe(to);
  // This would take minutes in quadratic time on runs of dots and spaces.
  expect(cleanFilename(`x${' .'.repeat(200_000)}y`).length).toBeLessThanOrEqual(200);
  expect(cleanFilename(`${' .'.repeat(200_000)}`)).toBe('');
  const long = cleanFilename(`${'😀'.repeat(300)}.docx`);
  expect(Array.from(long)).toHaveLength(200);
  expect(long).toEndWith('😀.docx');
  expect(cleanFilename(`a.${'x'.repeat(400)}`).length).toBeLessThanOrEqual(200);
});

test('the extension is what follows the last dot', () => {
  expect(['a.PNG', 'a.tar.gz', '.png', 'a', 'a.'].map(extensionOf)).toEqual(['png', 'gz', '', '', '']);
});

// Keys and their commands: names on every keyboard, sequences, and which command wins.

import { describe, expect, test } from 'bun:test';
import type { Command, Scope } from '../../src/web/console/commands.ts';
import { commandFor, keyName } from '../../src/web/console/shortcuts/shortcuts.ts';

type Press = Parameters<typeof keyName>[0];

const press = (key: string, change: Partial<Press> = {}): Press => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...change,
});

describe('the name of', () => {
  test.each([
    ['a letter', press('j'), 'j'],
    ['a letter with Shift', press('J', { shiftKey: true }), 'Shift+j'],
    ['a letter with Caps Lock', press('J'), 'j'],
    ['a sign that needs Shift', press('?', { shiftKey: true }), '?'],
    ['a sign that needs AltGr', press('@', { ctrlKey: true, altKey: true }), '@'],
    ['Ctrl and a letter', press('k', { ctrlKey: true }), 'Mod+k'],
    ['Ctrl, Shift and a letter', press('K', { ctrlKey: true, shiftKey: true }), 'Mod+Shift+k'],
    ['Enter', press('Enter'), 'Enter'],
    ['Shift and Enter', press('Enter', { shiftKey: true }), 'Shift+Enter'],
    ['a letter of another alphabet', press('о', { code: 'KeyJ' }), 'j'],
    ['an accented letter', press('é', { code: 'Digit2' }), 'é'],
    ['Alt and a letter', press('j', { altKey: true }), null],
    ['⌘ where it is not Mod', press('k', { metaKey: true }), null],
    ['Shift alone', press('Shift', { shiftKey: true }), null],
    ['a dead key', press('Dead'), null],
  ])('%s', (_, pressed, name) => {
    expect(keyName(pressed, false)).toBe(name);
  });

  test('⌘ is Mod on a Mac, and Ctrl is not', () => {
    expect(keyName(press('k', { metaKey: true }), true)).toBe('Mod+k');
    expect(keyName(press('k', { ctrlKey: true }), true)).toBeNull();
    expect(keyName(press('@', { altKey: true }), true)).toBe('@');
  });
});

describe('the command for', () => {
  const command = (id: string, keys: string[], isAvailable = true): Command => ({
    id,
    title: id,
    keys,
    run: () => undefined,
    isAvailable: () => isAvailable,
  });
  const commands = new Map<Scope, Command[]>([
    [
      'anywhere',
      [command('mine', ['g m']), command('all', ['g a']), command('close', ['Escape']), command('undo', ['Mod+z'])],
    ],
    ['list', [command('open', ['Enter', 'o']), command('off', ['x'], false), command('first', ['n'])]],
    ['ticket', [command('back', ['Escape', 'u']), command('note', ['n'])]],
  ]);
  const idOf = (pressed: string) => {
    const found = commandFor(pressed, commands);
    return found === null || found === 'begun' ? found : found.id;
  };

  test.each([
    ['o', 'open'],
    ['Enter', 'open'],
    ['g', 'begun'],
    ['g m', 'mine'],
    ['g x', null],
    ['m', null],
    ['Mod+z', 'undo'],
    // The open ticket lies over the list, and the list over the rest.
    ['Escape', 'back'],
    ['n', 'note'],
    ['x', null],
  ])('"%s"', (pressed, found) => {
    expect(idOf(pressed)).toBe(found);
  });
});

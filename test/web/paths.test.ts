// Where sign-in leads: only to paths of this desk.

import { describe, expect, test } from 'bun:test';
import { ownPath } from '../../src/web/sign-in/entrance.tsx';

const origin = 'https://desk.example';

describe('a path to return to', () => {
  test.each([
    '/profile',
    '/tickets/01K4VJ8Q4N7RM2ZC6B0T3XWYDE?message=1#last',
    '/inbox/mine?status=open',
    '/signed-in',
  ])('may be %s', (path) => {
    expect(ownPath(path, origin, '/home')).toBe(path);
  });

  test.each([
    null,
    '',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '///evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    'evil',
    ' /profile',
    '/sign-in?return_to=/sign-in',
    '/api/v1/auth/oidc',
    '//desk.example@evil.example/',
  ])('must not be %p', (path) => {
    expect(ownPath(path, origin, '/home')).toBe('/home');
  });
});

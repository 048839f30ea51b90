// The cookie of a session: what browsers are told about it, and which one counts.

import { expect, test } from 'bun:test';
import { endedCookie, sessionCookie, sessionSecretIn } from '../../../src/http/credentials/session-cookie.ts';

test('over https no other host can set it or read it', () => {
  const base = 'https://desk.example.org';
  expect(sessionCookie(base, 'hdp_x')).toBe(
    '__Host-helpdesk=hdp_x; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  expect(endedCookie(base)).toBe('__Host-helpdesk=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  expect(sessionSecretIn(base, 'helpdesk=hdp_y; __Host-helpdesk=hdp_x')).toBe('hdp_x');
  expect(sessionSecretIn(base, 'helpdesk=hdp_y')).toBeNull();
});

test('on plain http it has another name, and two of them count as none', () => {
  const base = 'http://127.0.0.1:8080';
  expect(sessionCookie(base, 'hdp_x')).toBe('helpdesk=hdp_x; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax');
  expect(sessionSecretIn(base, 'a=b; helpdesk=hdp_x')).toBe('hdp_x');
  expect(sessionSecretIn(base, 'helpdesk=hdp_x; helpdesk=hdp_y')).toBeNull();
  expect(sessionSecretIn(base, undefined)).toBeNull();
});

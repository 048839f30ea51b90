// Which authentication results are trusted, and the verdict that follows.
import { describe, expect, test } from 'bun:test';
import type { ProviderName } from '../../src/domain/mail/inbound.ts';
import { belongTogether, provenBy, scoreIn } from '../../src/mail/inbound/authentication.ts';

const from = { name: '', address: 'jo@example.com' };
function verdict(provider: ProviderName, headers: string[], trusted: string[] = [], hasSeveralFrom = false) {
  const message = { provider, headers: { 'authentication-results': headers }, from, hasSeveralFrom };
  return provenBy(message, { trustedServers: trusted }).verdict;
}

describe('Authentication-Results', () => {
  test.each<[string, string, 'pass' | 'fail' | 'none']>([
    ['DMARC passed', 'mx.cloudflare.net; dmarc=pass header.from=example.com policy.dmarc=reject', 'pass'],
    ['DMARC failed', 'mx.cloudflare.net; dmarc=fail header.from=example.com policy.dmarc=reject', 'fail'],
    [
      'DMARC failed as in a comment',
      'mx.cloudflare.net; dmarc=fail (p=QUARANTINE; sp=none) header.from=example.com',
      'fail',
    ],
    [
      'DMARC failed and the domain minds nothing',
      'mx.cloudflare.net; spf=pass smtp.mailfrom=example.com; dmarc=fail (p=none) header.from=example.com',
      'none',
    ],
    ['DMARC passed for another From', 'mx.cloudflare.net; dmarc=pass header.from=evil.example', 'none'],
    ['DMARC passed for a From of a domain below', 'mx.cloudflare.net; dmarc=pass header.from=sub.example.com', 'none'],
    ['DMARC passed, and names no From', 'mx.cloudflare.net; dmarc=pass', 'pass'],
    ['DKIM of the sender', 'mx.cloudflare.net; dkim=pass header.d=example.com header.s=x', 'pass'],
    ['DKIM of its parent domain', 'mx.cloudflare.net; dkim=pass header.i=@mail.example.com', 'pass'],
    ['DKIM of a stranger', 'mx.cloudflare.net; dkim=pass header.d=bulk.example', 'none'],
    ['SPF of the sender', 'mx.cloudflare.net; spf=pass smtp.mailfrom=jo@example.com', 'pass'],
    ['SPF failed alone, as on every forwarded mail', 'mx.cloudflare.net; spf=fail smtp.mailfrom=example.com', 'none'],
    [
      'SPF and DKIM both failed',
      'mx.cloudflare.net; spf=fail smtp.mailfrom=example.com; dkim=fail header.d=example.com',
      'fail',
    ],
    [
      'SPF failed under a good signature',
      'mx.cloudflare.net; spf=fail; dkim=fail header.d=a.b; dkim=pass header.d=list.example',
      'none',
    ],
    ['nothing', 'mx.cloudflare.net; none', 'none'],
  ])('%s', (_name, header, expected) => expect(verdict('cloudflare', [header])).toBe(expected));

  test('of DMARC can name the domain above that of From', () => {
    const headers = { 'authentication-results': ['mx.cloudflare.net; dmarc=pass header.from=example.com'] };
    const below = { name: '', address: 'jo@mail.example.com' };
    expect(provenBy({ provider: 'cloudflare', headers, from: below, hasSeveralFrom: false }, {}).verdict).toBe('pass');
  });

  test('are believed of the provider that delivers, and topmost only', () => {
    const forged = 'mx.cloudflare.net; dmarc=pass header.from=example.com';
    expect(verdict('cloudflare', ['mx.cloudflare.net; dmarc=fail header.from=example.com', forged])).toBe('fail');
    expect(verdict('cloudflare', ['mx.evil.example; dmarc=pass', forged])).toBe('none');
    expect(verdict('ses', [forged])).toBe('none');
    expect(verdict('ses', ['amazonses.com; dmarc=pass header.from=example.com'])).toBe('pass');
    expect(verdict('ses', ['amazonses.com.evil.example; dmarc=pass'])).toBe('none');
  });

  test('of a raw message accuse, and absolve only when their server is named as trusted', () => {
    expect(verdict('raw', ['mx.anyone.example; dmarc=pass header.from=example.com'])).toBe('none');
    expect(verdict('raw', ['mx.anyone.example; dmarc=fail header.from=example.com'])).toBe('fail');
    expect(verdict('raw', ['mx.mine.example; dmarc=pass header.from=example.com'], ['MX.mine.example'])).toBe('pass');
    expect(verdict('raw', ['mx.evil.example; dmarc=pass', 'mx.mine.example; dmarc=pass'], ['mx.mine.example'])).toBe(
      'none',
    );
  });

  test('never prove one of two senders', () =>
    expect(verdict('cloudflare', ['mx.cloudflare.net; dmarc=pass'], [], true)).toBe('none'));
});

test('domains belong together when one contains the other', () => {
  expect(belongTogether('mail.example.com', 'Example.com')).toBe(true);
  expect(belongTogether('notexample.com', 'example.com')).toBe(false);
  expect(belongTogether('com', 'example.com')).toBe(false);
  expect(belongTogether('', '')).toBe(false);
});

test('scores are read from the headers that carry them', () => {
  expect(scoreIn('5.1')).toBe(5.1);
  expect(scoreIn('Yes, score=7.5 required=5.0 tests=X')).toBe(7.5);
  expect(scoreIn('-0.1')).toBe(-0.1);
  expect(scoreIn('No')).toBeNull();
});

// Mails with a site's own words.

import { describe, expect, test } from 'bun:test';
import { templateErrors, templateNames } from '../../src/domain/mail/template.ts';
import { locales } from '../../src/domain/people/preferences.ts';
import { composeSample } from '../../src/mail/outgoing/sample.ts';
import { ownTemplate } from '../../src/mail/outgoing/template.ts';
import { frame } from './frame.ts';

const link = { baseUrl: 'https://desk.example', isOpen: false };

describe.each(templateNames)('%s', (name) => {
  test.each(locales)("the desk's own words as a template make the same mail in %s", (locale) => {
    const own = ownTemplate(name, locale);
    expect(templateErrors(name, own)).toEqual({});
    const by = (template: typeof own | null) => composeSample(name, frame({ locale }), template, link);
    expect(by(own).text).toBe(by(null).text);
    expect(by(own).subject).toBe(by(null).subject);
    expect(by(own).html).toContain(name === 'code' ? '>123456</p>' : 'href="https://desk.example/t/example"');
  });
});

test('a site whose name is Markdown or a variable stays a name, and no words bring HTML or headers', () => {
  const site = { name: '**{{link}}** <b>x</b> [a](https://evil.example)', color: null };
  const body = '<script>alert(1)</script> from {{site.name}}\n\n![x](https://evil.example/x.png)\n\n{{link}}';
  const mail = composeSample(
    'acknowledgement',
    frame({ site }),
    { subject: 'Hi {{site.name}}\r\nBcc: x@y.z', body },
    link,
  );
  expect(mail.text).toContain(site.name);
  expect(mail.html).not.toMatch(/<script|<img|<b>|href="https:\/\/evil\.example"/);
  expect(mail.html.match(/<a /g)).toHaveLength(2);
  expect(mail.subject).not.toMatch(/[\r\n]/);
  expect(mail.subject).toBe(`[#41] Hi ${site.name} Bcc: x@y.z`);
});

test('without a link, where the site gives none, nothing stands in its place', () => {
  const mail = composeSample('acknowledgement', frame(), { subject: null, body: 'One\n\n{{link}}\n\nTwo' }, null);
  expect(mail.text).toStartWith('One\n\nTwo\n\n-- \n');
});

// What rules see of a message.
import { expect, test } from 'bun:test';
import { parseMail } from '../../src/mail/inbound/parse.ts';
import { ruleMessageOf } from '../../src/mail/inbound/rule-message.ts';
import { bodyOf } from '../../src/mail/reply/body.ts';

test('rules see the new text, and the attachments without the pictures in the text', async () => {
  const part = (head: string) => `--b\r\nContent-Type: image/png\r\n${head}\r\n\r\nx\r\n`;
  const message = await parseMail(
    Buffer.from(
      `From: Jo <jo@example.com>\r\nTo: help@desk.example\r\nSubject: Hi\r\nX-A: b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nNew.\r\n\r\nOn 8 Sep 2026, at 15:14, Desk <d@desk.example> wrote:\r\n> Old.\r\n${part('Content-Disposition: attachment; filename=a.png')}${part('Content-Disposition: inline; filename=b.png\r\nContent-ID: <b>')}--b--`,
    ),
  );
  expect(
    ruleMessageOf(message, bodyOf(message), { isReply: true, participants: [], barred: [], category: null }),
  ).toMatchObject({
    from: { address: 'jo@example.com', name: 'Jo' },
    to: [{ address: 'help@desk.example', name: '' }],
    subject: 'Hi',
    body: 'New.',
    headers: { 'x-a': ['b'] },
    attachmentNames: ['a.png'],
    sizeBytes: message.size,
    spamScore: null,
    isReply: true,
    category: null,
  });
});

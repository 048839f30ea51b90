// A mail as customers write it.

let written = 0;

/** Typical mail: some sentences, a quotation of thirty lines, text and HTML, a page of headers. */
export function typicalMail(to: string): Buffer {
  written += 1;
  const quoted = Array.from({ length: 30 }, (_, line) => `line ${line} of what the desk wrote before, quoted again`);
  const words = `It works now, thank you.\r\nOnly tray ${written} is empty.`;
  const text = `${words}\r\n\r\nOn Tue, Sep 8, 2026 at 3:14 PM Desk <help@desk.example> wrote:\r\n\r\n${quoted.map((each) => `> ${each}`).join('\r\n')}\r\n`;
  const html = `<div>${words.replace('\r\n', '<br>')}</div><div class="gmail_quote">On Tue wrote:<blockquote>${quoted.map((each) => `<p style="margin:0">${each}</p>`).join('')}</blockquote></div>`;
  const received = Array.from(
    { length: 6 },
    (_, hop) =>
      `Received: from mx${hop}.example.com (mx${hop}.example.com [192.0.2.${hop}]) by mx.provider.example with ESMTPS id ${hop}; Tue, 8 Sep 2026 13:14:0${hop} +0000`,
  );
  return Buffer.from(
    [
      ...received,
      `From: Jo Doe <jo${written % 500}@example.com>`,
      `To: ${to}`,
      'Subject: Re: =?utf-8?q?Printer_=E2=9C=93?=',
      'Date: Tue, 8 Sep 2026 15:14:00 +0200',
      `Message-ID: <${written}@example.com>`,
      'References: <d0@desk.example> <d1@desk.example>',
      `DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=x; b=${'A'.repeat(300)}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '--b--',
      '',
    ].join('\r\n'),
  );
}

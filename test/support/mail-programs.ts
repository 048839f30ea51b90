// What mail programs make of an answer: each in its own shape, with its own quoting, headers and subject.

import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';

export interface Person {
  name: string;
  address: string;
  program: MailProgram;
}

export interface Written {
  raw: string;
  from: string;
  to: string[];
}

interface Letter {
  from: Person;
  to: readonly string[];
  cc?: readonly string[];
  subject: string;
  words: string;
  /** What it answers. */
  answered?: ParsedMail;
  headers?: readonly string[];
}

type Shape = (letter: Letter, quoted: Quoted | null, id: string) => { headers: string[]; body: string };
type MailProgram = { mark: string; idOf: (count: number, domain: string) => string; shape: Shape };

interface Quoted {
  name: string;
  address: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

let written = 0;
const lines = (text: string) => text.trim().split('\n');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** As editors write lines. */
const paragraphs = (text: string) =>
  text
    .split('\n')
    .map((line) => `<div>${line === '' ? '<br>' : escaped(line)}</div>`)
    .join('');
const marked = (text: string) =>
  lines(text).map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`));
const asQuotedPrintable = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte === 61 || byte > 126 ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte),
    )
    .join('')
    .replace(/.{70}(?<!=.?)(?=.{3})/g, '$&=\n');
const part = (type: string, text: string) => [
  `Content-Type: ${type}; charset=utf-8`,
  'Content-Transfer-Encoding: quoted-printable',
  '',
  asQuotedPrintable(text),
];
const alternatives = (boundary: string, text: string, html: string) => ({
  headers: ['MIME-Version: 1.0', `Content-Type: multipart/alternative; boundary="${boundary}"`],
  body: [
    `--${boundary}`,
    ...part('text/plain', text),
    `--${boundary}`,
    ...part('text/html', html),
    `--${boundary}--`,
    '',
  ].join('\n'),
});

export const gmail: MailProgram = {
  mark: 'Re: ',
  idOf: (count) => `CAJ+tz${count}x9Qe8@mail.gmail.com`,
  shape({ words }, quoted) {
    const said = quoted && `On Tue, Nov 24, 2026 at 9:31 AM ${quoted.name} <${quoted.address}> wrote:`;
    const text = said === null ? words : `${words}\n\n${said}\n\n${marked(quoted?.text ?? '').join('\n')}\n`;
    const html = `<div dir="ltr">${paragraphs(words)}</div>${
      quoted === null
        ? ''
        : `<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${escaped(said ?? '')}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${quoted.html}</blockquote></div>`
    }\n`;
    return alternatives('000000000000c3e9d60636f1a2b3', text, html);
  },
};

export const outlook: MailProgram = {
  mark: 'RE: ',
  idOf: (count, domain) => `AM9PR07MB73${count}B2E5C1D8A9@AM9PR07MB7316.eurprd07.prod.${domain}`,
  shape({ words, subject }, quoted) {
    const head = quoted && [
      `From: ${quoted.name} <${quoted.address}>`,
      'Sent: Tuesday, November 24, 2026 9:31 AM',
      `To: ${quoted.to}`,
      `Subject: ${quoted.subject}`,
    ];
    const text = head === null ? words : `${words}\n\n${head.join('\n')}\n\n${quoted?.text}\n`;
    const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-US"><div class="WordSection1">${words
      .split('\n')
      .map((line) => `<p class="MsoNormal">${escaped(line) || '&nbsp;'}<o:p></o:p></p>`)
      .join('')}${
      head === null
        ? ''
        : `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> ${escaped(head[0]!.slice(6))}<br><b>Sent:</b> Tuesday, November 24, 2026 9:31 AM<br><b>To:</b> ${escaped(quoted?.to ?? '')}<br><b>Subject:</b> ${escaped(quoted?.subject ?? '')}<o:p></o:p></p></div></div>${quoted?.html}`
    }</div></body></html>\n`;
    const { headers, body } = alternatives('_000_AM9PR07MB7316B2E5C1D8A9_', text, html);
    return {
      headers: [`Thread-Topic: ${subject.replace(/^(RE: )+/, '')}`, 'Thread-Index: AdtCyJ6q', ...headers],
      body,
    };
  },
};

/** Outlook that sends Rich Text: the words as plain text beside a winmail.dat. */
export const outlookRichText: MailProgram = {
  ...outlook,
  shape(letter, quoted) {
    const head =
      quoted &&
      `-----Original Message-----\nFrom: ${quoted.name} [mailto:${quoted.address}]\nSent: Tuesday, November 24, 2026 9:31 AM\nTo: ${quoted.to}\nSubject: ${quoted.subject}\n\n`;
    const text = head === null ? letter.words : `${letter.words}\n\n${head}${quoted?.text}\n`;
    const boundary = '----=_NextPart_000_0003_01DB3E5A.7F3C2B10';
    return {
      headers: [
        'MIME-Version: 1.0',
        'X-Mailer: Microsoft Outlook 16.0',
        'X-MS-TNEF-Correlator: 0000',
        `Content-Type: multipart/mixed; boundary="${boundary}"`,
      ],
      body: [
        `--${boundary}`,
        ...part('text/plain', text),
        `--${boundary}`,
        'Content-Type: application/ms-tnef; name="winmail.dat"',
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename="winmail.dat"',
        '',
        'eJ8+IgAAAQaQCAAEAAAAAAABAAEAAQeQBgAIAAAA5AQAAAAAAADoAAEIgAcAGAAAAElQTS5NaWNy',
        `--${boundary}--`,
        '',
      ].join('\n'),
    };
  },
};

/** The iPhone's, when it sends HTML alone. */
export const appleMail: MailProgram = {
  mark: 'Re: ',
  idOf: (count, domain) => `8F1C2D3E-${count}-4A5B-9C6D-7E8F9A0B1C2D@${domain}`,
  shape({ words }, quoted) {
    const html = `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">${paragraphs(words)}<div><br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div>${
      quoted === null
        ? ''
        : `<div dir="ltr"><br><blockquote type="cite">On 24 Nov 2026, at 09:31, ${escaped(`${quoted.name} <${quoted.address}>`)} wrote:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">\u{feff}${quoted.html}</div></blockquote>`
    }</div></body></html>`;
    return {
      headers: [
        'MIME-Version: 1.0 (1.0)',
        'X-Mailer: iPhone Mail (22B91)',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: quoted-printable',
      ],
      body: asQuotedPrintable(html),
    };
  },
};

/** Plain text with flowed lines, and the answer between the quoted lines. */
export const thunderbird: MailProgram = {
  mark: 'Re: ',
  idOf: (count, domain) => `4d9f1b7e-${count}-5a0c-8e2d-3b6f7c8d9e0f@${domain}`,
  shape({ words }, quoted) {
    const flowed = words.replace(/(.{50,65}) /g, '$1 \n');
    const [first, ...others] = quoted === null ? [] : marked(quoted.text);
    const body =
      quoted === null
        ? flowed
        : [
            `On 24/11/2026 09:31, ${quoted.name} wrote:`,
            first,
            ...others.slice(0, 2),
            '',
            flowed,
            '',
            ...others.slice(2),
          ].join('\n');
    return {
      headers: [
        'MIME-Version: 1.0',
        'User-Agent: Mozilla Thunderbird',
        'Content-Language: en-GB',
        'Content-Type: text/plain; charset=UTF-8; format=flowed',
        'Content-Transfer-Encoding: 8bit',
      ],
      body: `${body}\n`,
    };
  },
};

/** A German webmail: AW in the subject, and In-Reply-To alone. */
export const webmail: MailProgram = {
  mark: 'AW: ',
  idOf: (count) => `trinity-6b1f0a52-${count}-1764000000@3c-app-gmx-bs21`,
  shape({ words }, quoted) {
    const html = `<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;"><div>${paragraphs(words)}</div>${
      quoted === null
        ? ''
        : `<div>&nbsp;</div><div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Dienstag, 24. November 2026 um 09:31 Uhr<br/><b>Von:</b>&nbsp;${escaped(`"${quoted.name}" <${quoted.address}>`)}<br/><b>An:</b>&nbsp;${escaped(quoted.to)}<br/><b>Betreff:</b>&nbsp;${escaped(quoted.subject)}</div><div name="quoted-content">${quoted.html}</div></div>`
    }</div></body></html>\n`;
    return {
      headers: [
        'MIME-Version: 1.0',
        'Content-Type: text/html; charset=UTF-8',
        'Content-Transfer-Encoding: quoted-printable',
      ],
      body: asQuotedPrintable(html),
    };
  },
};

const addressesIn = (list: AddressObject | AddressObject[] | undefined) =>
  [list ?? []].flat().flatMap(({ value }) => value.flatMap(({ address }) => address?.toLowerCase() ?? []));

export const readersOf = ({ to, cc }: ParsedMail) => [...addressesIn(to), ...addressesIn(cc)];
export const senderOf = ({ from }: ParsedMail) => addressesIn(from)[0] ?? '';
/** Everything that it names as what came before. */
export const referencesIn = ({ inReplyTo, references }: ParsedMail): string[] => [
  ...new Set([...[references ?? []].flat(), ...(inReplyTo === undefined ? [] : [inReplyTo])]),
];

export function write(letter: Letter): Written {
  written += 1;
  const { from, to, cc = [], subject, answered, headers = [] } = letter;
  const { program } = from;
  const domain = from.address.split('@')[1] ?? '';
  const id = program.idOf(1000 + written, domain);
  const quoted: Quoted | null =
    answered === undefined
      ? null
      : {
          name: answered.from?.value[0]?.name || senderOf(answered),
          address: senderOf(answered),
          to: [answered.to ?? []]
            .flat()
            .map(({ text }) => text)
            .join(', '),
          subject: answered.subject ?? '',
          text: answered.text ?? '',
          html: answered.html || `<pre>${escaped(answered.text ?? '')}</pre>`,
        };
  const shaped = program.shape(letter, quoted, id);
  const thread =
    answered?.messageId === undefined
      ? []
      : [
          `In-Reply-To: ${answered.messageId}`,
          ...(program === webmail
            ? []
            : [`References: ${[...referencesIn(answered), answered.messageId].join('\n ')}`]),
        ];
  const head = [
    `From: "${from.name}" <${from.address}>`,
    `To: ${to.join(', ')}`,
    ...(cc.length === 0 ? [] : [`Cc: ${cc.join(',\n ')}`]),
    `Subject: ${subject}`,
    'Date: Tue, 24 Nov 2026 09:31:00 +0000',
    `Message-ID: <${id}>`,
    ...thread,
    ...headers,
    ...shaped.headers,
  ];
  const raw = `${head.join('\n')}\n\n${shaped.body}`.replace(/\r?\n/g, '\r\n');
  return { raw, from: from.address, to: [...to, ...cc] };
}

/** To whom it was from; all the others with `isToAll`. */
export function answerTo(
  from: Person,
  answered: ParsedMail,
  words: string,
  isToAll: boolean,
  more: Partial<Letter> = {},
): Written {
  const back = addressesIn(answered.replyTo);
  const to = back.length > 0 ? back : [senderOf(answered)];
  const others = readersOf(answered).filter((one) => one !== from.address && !to.includes(one));
  const bare = (answered.subject ?? '').replace(/^((re|aw):\s*)+/i, '');
  return write({ from, to, cc: isToAll ? others : [], subject: from.program.mark + bare, words, answered, ...more });
}

export const read = (raw: string | Buffer): Promise<ParsedMail> => simpleParser(raw);

// Introductions of quotations that email-reply-parser does not know.

/** The library's own openings, put before lines that start with the name or the date. */
export const libraryOpenings: readonly string[] = [
  'On',
  'Le',
  'El',
  'Il',
  'Em',
  'Am a um',
  'Op',
  'Dnia',
  'Den',
  'pe',
  '在',
];

/** Lower case: verbs that it lacks, and verbs after which some programs write the date. */
export const attributionWords: readonly string[] = [
  'wrote on',
  'sent the following', // en
  'schrieb:',
  'geschrieben', // de
  'a écrit le',
  'a ecrit',
  'écrivait', // fr
  'escribió el',
  'ha escrito', // es
  'ha scritto il',
  'scrive', // it
  'schreef:',
  'geschreven', // nl
  'napisała',
  'napisana przez', // pl
  'escreveu em',
  'escreveu no dia', // pt
  'писал',
  'пишет', // ru
  'пише:', // uk
  'skrev:',
  'skrevet:', // sv, da, nb
  'kirjoitti ',
  'kirjoittaa', // fi
  'napsal', // cs
  '写道:',
  '寫道', // zh
  'のメール',
  'のメッセージ',
  'が書きました',
  'は書きました', // ja
];

/** Lower case. The customer's own voice: "On 3 May at 15:00 I wrote:". */
export const ownVoice: readonly string[] = [
  'i wrote',
  'we wrote', // en
  'schrieb ich',
  'schrieben wir',
  'ich schrieb',
  'habe ich', // de
  "j'ai écrit",
  'j’ai écrit',
  'vous ai écrit', // fr
  'yo escribí',
  'les escribí', // es
  'ho scritto', // it
  'ik schreef',
  'schreef ik',
  'heb ik', // nl
  'napisałam', // pl
  'eu escrevi', // pt
  'я написал',
  'я писал', // ru
  'skrev jag',
  'jag skrev',
  'skrev jeg',
  'jeg skrev',
  'skrev vi', // sv, da, nb
  'jsem napsal',
  'napsal jsem',
  'napsala jsem', // cs
  '我写道',
  '我寫道', // zh
];

/** Lower case: words of four letters or more between the date and the name. */
export const wordsBeforeNames: readonly string[] = [
  'schrieb',
  'vorm.',
  'nachm.', // de
  'schreef',
  'heeft', // nl
  'napisana',
  'przez', // pl
  'skrev', // sv, da, nb
  'odesílatel', // cs
  'пользователь', // ru
];

/** Lower case: all that a program writes between an address and the colon. */
export const verbsAfterNames: readonly string[] = [
  'wrote', // en
  'a écrit', // fr
  'escribió', // es
  'ha scritto', // it
  'het volgende geschreven', // nl
  'escreveu', // pt
  'napisał(a)', // pl
  'написал', // ru
  'пише', // uk
  'kirjoitti', // fi
  'napsal', // cs
];

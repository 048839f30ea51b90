// Introductions of a quotation that email-reply-parser does not know. A date, a time or an address stands beside them.

/** Its own begin with these. Where a program puts the name or the date first, the line is asked again behind them. */
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

/** Lower case: verbs that it lacks, and those behind which it expects the colon where some write the date. */
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
  'escreveu em', // pt
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

/** Lower case. The customer speaking of himself introduces no quotation: "On 3 May at 15:00 I wrote:". */
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

/** Lower case: what stands between the date and the name, four letters or more. A name is all that may stand there otherwise. */
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

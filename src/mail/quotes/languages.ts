// The words by which mail programs introduce a quotation, by language: attribution verbs and the labels of header blocks.

export type QuoteLanguage = {
  code: string;
  /** What stands before the colon, or before the writer's name: "... wrote:", "... schrieb Jo:". Lower case. */
  verbs: readonly string[];
  /** The customer speaking of himself is no attribution: "On 3 May at 15:00 I wrote:". Lower case. */
  ownVoice: readonly string[];
  /** Labels of the block that Outlook and others put above the quoted message. Lower case, without the colon. */
  from: readonly string[];
  date: readonly string[];
  to: readonly string[];
  subject: readonly string[];
};

/** Cc and Bcc are the same in nearly all of them; they fill a block and never make one. */
export const copyLabels = [
  'cc',
  'bcc',
  'kopie',
  'kopia',
  'kopi',
  'copie',
  'copia',
  'копия',
  'kopio',
  '抄送',
  '副本',
  'cci',
  'cco',
  'ccn',
  'reply-to',
  'importance',
  'priority',
  'attachments',
  'anlagen',
];

export const quoteLanguages: readonly QuoteLanguage[] = [
  {
    code: 'en',
    verbs: ['wrote', 'sent the following'],
    ownVoice: ['i wrote', 'we wrote'],
    from: ['from'],
    date: ['sent', 'date'],
    to: ['to'],
    subject: ['subject'],
  },
  {
    code: 'de',
    verbs: ['schrieb', 'hat geschrieben', 'geschrieben'],
    ownVoice: ['schrieb ich', 'schrieben wir', 'ich schrieb', 'habe ich'],
    from: ['von'],
    date: ['gesendet', 'datum', 'gesendet am'],
    to: ['an'],
    subject: ['betreff'],
  },
  {
    code: 'fr',
    verbs: ['a écrit', 'a ecrit', 'écrivait'],
    ownVoice: ["j'ai écrit", 'j’ai écrit', 'vous ai écrit'],
    from: ['de', 'expéditeur'],
    date: ['envoyé', 'date', 'envoyé le', 'date d’envoi'],
    to: ['à', 'a', 'destinataire'],
    subject: ['objet', 'sujet'],
  },
  {
    code: 'es',
    verbs: ['escribió', 'escribio', 'ha escrito'],
    ownVoice: ['yo escribí', 'les escribí'],
    from: ['de', 'remitente'],
    date: ['enviado', 'fecha', 'enviado el'],
    to: ['para', 'a'],
    subject: ['asunto'],
  },
  {
    code: 'it',
    verbs: ['ha scritto', 'scrive', 'scriveva'],
    ownVoice: ['ho scritto', 'vi ho scritto'],
    from: ['da'],
    date: ['inviato', 'data', 'inviato il'],
    to: ['a'],
    subject: ['oggetto'],
  },
  {
    code: 'nl',
    verbs: ['schreef', 'het volgende geschreven', 'geschreven', 'heeft geschreven'],
    ownVoice: ['ik schreef', 'schreef ik', 'heb ik'],
    from: ['van'],
    date: ['verzonden', 'datum', 'verzonden op', 'verstuurd'],
    to: ['aan'],
    subject: ['onderwerp'],
  },
  {
    code: 'pl',
    verbs: ['napisał', 'napisała', 'pisze', 'napisana przez'],
    ownVoice: ['napisałem', 'napisałam'],
    from: ['od', 'nadawca'],
    date: ['wysłano', 'wysłane', 'data'],
    to: ['do', 'adresat'],
    subject: ['temat'],
  },
  {
    code: 'pt',
    verbs: ['escreveu'],
    ownVoice: ['eu escrevi'],
    from: ['de', 'remetente'],
    date: ['enviado', 'enviada', 'data', 'enviada em', 'enviado em', 'data de envio'],
    to: ['para'],
    subject: ['assunto'],
  },
  {
    code: 'ru',
    verbs: ['написал', 'написала', 'пишет', 'писал'],
    ownVoice: ['я написал', 'я писал', 'я написала'],
    from: ['от', 'от кого'],
    date: ['отправлено', 'дата', 'отправлена'],
    to: ['кому'],
    subject: ['тема'],
  },
  {
    code: 'sv',
    verbs: ['skrev'],
    ownVoice: ['skrev jag', 'jag skrev', 'skrev vi'],
    from: ['från'],
    date: ['skickat', 'datum', 'skickades'],
    to: ['till'],
    subject: ['ämne'],
  },
  {
    code: 'da',
    verbs: ['skrev', 'har skrevet'],
    ownVoice: ['skrev jeg', 'jeg skrev', 'skrev vi'],
    from: ['fra'],
    date: ['sendt', 'dato', 'afsendt'],
    to: ['til'],
    subject: ['emne'],
  },
  {
    code: 'nb',
    verbs: ['skrev', 'skreiv'],
    ownVoice: ['skrev jeg', 'jeg skrev', 'skrev vi'],
    from: ['fra', 'frå'],
    date: ['sendt', 'dato'],
    to: ['til'],
    subject: ['emne'],
  },
  {
    code: 'fi',
    verbs: ['kirjoitti', 'kirjoittaa'],
    ownVoice: ['kirjoitin'],
    from: ['lähettäjä'],
    date: ['lähetetty', 'päivämäärä', 'lähetetty klo', 'päiväys'],
    to: ['vastaanottaja', 'kenelle'],
    subject: ['aihe'],
  },
  {
    code: 'cs',
    verbs: ['napsal', 'napsala', 'odesílatel'],
    ownVoice: ['jsem napsal', 'napsal jsem', 'napsala jsem'],
    from: ['od', 'odesílatel'],
    date: ['odesláno', 'datum'],
    to: ['komu'],
    subject: ['předmět'],
  },
  {
    code: 'zh',
    verbs: ['写道', '寫道', '编写', '来信'],
    ownVoice: ['我写道', '我寫道'],
    from: ['发件人', '寄件者', '寄件人', '發件人'],
    date: ['发送时间', '发送日期', '日期', '寄件日期', '傳送時間', '時間', '时间', '發送時間'],
    to: ['收件人', '收件者'],
    subject: ['主题', '主旨', '主題'],
  },
  {
    code: 'ja',
    verbs: ['のメール', 'のメッセージ', 'が書きました', 'は書きました', 'wrote'],
    ownVoice: [],
    from: ['差出人', '送信者', 'from'],
    date: ['送信日時', '日付', '日時', 'date'],
    to: ['宛先', 'to'],
    subject: ['件名', 'subject'],
  },
];

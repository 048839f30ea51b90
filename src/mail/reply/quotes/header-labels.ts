// Labels of the block that Outlook and others put above a quoted message.

/** Lower case, without the colon. */
export type LabelLanguage = {
  code: string;
  /** Without From, Von, De, Van and Da, which email-reply-parser knows. */
  from: readonly string[];
  date: readonly string[];
  to: readonly string[];
  subject: readonly string[];
};

/** Nearly the same in all languages; part of a block, but never the start of one. */
export const copyLabels: readonly string[] = [
  'cc',
  'bcc',
  'cci',
  'cco',
  'ccn',
  'kopie',
  'kopia',
  'kopi',
  'kopio',
  'копия',
  '抄送',
  '副本',
  'reply-to',
  'risposta',
  'importance',
  'priority',
  'attachments',
];

export const danishOrNorwegian = 'da, nb';

export const labelLanguages: readonly LabelLanguage[] = [
  { code: 'en', from: [], date: ['sent', 'date'], to: ['to'], subject: ['subject'] },
  { code: 'de', from: [], date: ['gesendet', 'datum', 'gesendet am'], to: ['an'], subject: ['betreff'] },
  {
    code: 'fr',
    from: ['expéditeur'],
    date: ['envoyé', 'date', 'envoyé le'],
    to: ['à', 'destinataire'],
    subject: ['objet', 'sujet'],
  },
  { code: 'es', from: ['remitente'], date: ['enviado', 'fecha', 'enviado el'], to: ['para'], subject: ['asunto'] },
  { code: 'it', from: [], date: ['inviato', 'data', 'inviato il'], to: ['a'], subject: ['oggetto'] },
  { code: 'nl', from: [], date: ['verzonden', 'datum', 'verzonden op'], to: ['aan'], subject: ['onderwerp'] },
  { code: 'pl', from: ['od'], date: ['wysłano', 'wysłane', 'data'], to: ['do'], subject: ['temat'] },
  {
    code: 'pt',
    from: ['remetente'],
    date: ['enviado', 'enviada', 'data', 'enviada em', 'enviado em'],
    to: ['para'],
    subject: ['assunto'],
  },
  { code: 'ru', from: ['от', 'от кого'], date: ['отправлено', 'дата'], to: ['кому'], subject: ['тема'] },
  { code: 'sv', from: ['från'], date: ['skickat', 'datum'], to: ['till'], subject: ['ämne'] },
  { code: danishOrNorwegian, from: ['fra'], date: ['sendt', 'dato'], to: ['til'], subject: ['emne'] },
  {
    code: 'fi',
    from: ['lähettäjä'],
    date: ['lähetetty', 'päivämäärä', 'päiväys'],
    to: ['vastaanottaja'],
    subject: ['aihe'],
  },
  { code: 'cs', from: ['od'], date: ['odesláno', 'datum'], to: ['komu'], subject: ['předmět'] },
  {
    code: 'zh',
    from: ['发件人', '寄件者', '寄件人'],
    date: ['发送时间', '日期', '寄件日期', '傳送時間'],
    to: ['收件人', '收件者'],
    subject: ['主题', '主旨', '主題'],
  },
  { code: 'ja', from: ['差出人'], date: ['送信日時', '日付'], to: ['宛先'], subject: ['件名'] },
];

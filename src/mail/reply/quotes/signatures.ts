// Lines that a mail program or a telephone adds below the text, and the words of legal disclaimers.

/**
 * How a signature begins that email-reply-parser does not know. As with those that it knows ("Sent from", "Enviado
 * desde"), a device or program must stand at the end: "sent from my iPhone it fails" is a sentence.
 */
export const sendingWords: readonly string[] = [
  'sent with',
  'sent via',
  'typed on',
  'please excuse',
  'get bluemail for', // en
  'gesendet von',
  'gesendet mit',
  'gesendet aus',
  'diese nachricht wurde',
  'holen sie sich outlook',
  'outlook für', // de
  'envoyé de',
  'envoyé avec',
  'téléchargez outlook',
  'obtenir outlook',
  'obtenez outlook', // fr
  'enviado con',
  'obtener outlook',
  'obtenga outlook',
  'descargar outlook', // es
  'inviato da',
  'inviato con',
  'scarica outlook',
  'ottieni outlook', // it
  'verstuurd met',
  'verzonden met',
  'verzonden via',
  'outlook voor',
  'download outlook', // nl
  'wysłane z',
  'wysłano z',
  'pobierz outlook',
  'pobierz aplikację outlook', // pl
  'enviado do',
  'enviado da',
  'enviado de',
  'enviado pelo',
  'enviado a partir do',
  'obter o outlook',
  'obtenha o outlook',
  'baixar o outlook', // pt
  'отправлено',
  'скачать outlook',
  'загрузить outlook',
  'получить outlook', // ru
  'skickat från',
  'hämta outlook',
  'skaffa outlook', // sv
  'sendt med',
  'sendt via',
  'hent outlook',
  'få outlook',
  'skaff outlook', // da, nb
  'lähetetty',
  'hanki outlook',
  'lataa outlook', // fi
  'odesláno z',
  'odesláno pomocí',
  'získat outlook',
  'získejte outlook',
  'stáhnout outlook', // cs
  '发自',
  '来自我的',
  '來自我的',
  '从我的',
  '從我的',
  '寄自',
  '获取', // zh
];

/** The same where the device comes first. */
export const sendingEnds: readonly string[] = ['から送信', 'を入手'];

/** What may stand behind the device, and says nothing by itself: "I sent it from my iPhone" ends in German as they do. */
export const sendingTails: readonly string[] = [
  'gesendet',
  'beziehen', // de
  'downloaden',
  'ophalen', // nl
  '传送',
  '傳送',
  '发送',
  '的邮件', // zh
];

/** Devices and programs, in whatever case and with whatever ending: "iPhonesta", "Android-Gerät". */
export const devices: readonly string[] = [
  'iphon',
  'ipad',
  'ipod',
  'apple watch',
  'android',
  'galaxy',
  'samsung',
  'huawei',
  'xiaomi',
  'pixel',
  'oneplus',
  'nokia',
  'blackberry',
  'smartphone',
  'tablet',
  'phone',
  'device',
  'network',
  'windows',
  'ios',
  'outlook',
  'mail',
  'secure email',
  'mail app',
  'gmail',
  'gmx',
  'spark',
  'aol',
  'thunderbird',
  'fairemail',
  'superhuman',
  'brevity',
  'typos',
  'handy',
  'telefon',
  'mobil',
  'téléphone',
  'teléfono',
  'móvil',
  'celular',
  'cellulare',
  'telefoon',
  'mobiel',
  'телефон',
  'смартфон',
  'puhelim',
  '手机',
  '手機',
  'スマートフォン',
  '携帯',
];

/**
 * A closing paragraph with two of one language's words is a disclaimer. One word is not enough: a customer may well ask
 * that something be kept confidential.
 */
export const disclaimerWords: readonly (readonly string[])[] = [
  [
    'confidential',
    'intended recipient',
    'intended solely',
    'privileged',
    'unauthorised',
    'unauthorized',
    'received this message in error',
    'received this email in error',
    'received this e-mail in error',
    'virus-free',
    'before printing',
    'scanned for viruses',
    'delete this',
  ],
  [
    'vertraulich',
    'nicht der richtige adressat',
    'bestimmungsgemäße',
    'irrtümlich erhalten',
    'unbefugte',
    'vernichten sie diese',
    'rechtlich geschützt',
    'nicht gestattet',
    'nur für den adressaten',
  ],
  [
    'confidentiel',
    'destinataire',
    'reçu ce message par erreur',
    'usage exclusif',
    'toute diffusion',
    'avant d’imprimer',
    "avant d'imprimer",
  ],
  [
    'confidencial',
    'destinatario',
    'recibido este mensaje por error',
    'prohibida',
    'antes de imprimir',
    'información privilegiada',
  ],
  [
    'riservat',
    'destinatari',
    'ricevuto per errore',
    'ricevuto questo messaggio',
    'd.lgs',
    'gdpr',
    'vietata',
    'strettamente',
  ],
  [
    'vertrouwelijk',
    'geadresseerde',
    'abusievelijk',
    'ten onrechte',
    'niet toegestaan',
    'uitsluitend bestemd',
    'ontvanger',
  ],
  ['poufn', 'adresat', 'omyłkow', 'zabronion', 'niezwłocznie'],
  ['confidencia', 'destinatário', 'recebeu esta mensagem por engano', 'proibida', 'uso exclusivo'],
  ['конфиденциальн', 'адресат', 'по ошибке', 'запрещ', 'предназначен'],
  ['konfidentiell', 'avsedd mottagare', 'av misstag', 'otillåten', 'avsedd endast'],
  [
    'fortrolig',
    'tiltænkt',
    'ved en fejl',
    'uautoriseret',
    'ved en feil',
    'uautorisert',
    'rette mottaker',
    'rette modtager',
  ],
  ['luottamuksellinen', 'vastaanottaja', 'erehdyksessä', 'kielletty'],
  ['důvěrn', 'adresát', 'omylem', 'neoprávněn', 'zakázán'],
  ['保密', '机密', '機密', '指定收件人', '误收', '誤收', '未经授权', '未經授權'],
  ['機密', '受信者', '誤って受信', '無断', '削除'],
];

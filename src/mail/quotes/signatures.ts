// Lines that a mail program or a telephone adds below the text, and the words of legal disclaimers.

/** A whole line each (a link may follow it). The device is named, so that "sent from my iPhone it fails" is no signature. */
export const mobileSignatures: readonly RegExp[] = [
  // en
  /^sent from (my )?(iphone|ipad|ipod|apple watch|mac|android.{0,40}|galaxy.{0,40}|samsung.{0,50}|huawei.{0,40}|xiaomi.{0,40}|pixel.{0,20}|oneplus.{0,20}|nokia.{0,30}|sony.{0,30}|htc.{0,30}|lg.{0,30}|motorola.{0,30}|blackberry.{0,60}|windows phone|mobile( device| phone)?|cell(phone)?|phone|smartphone|tablet|verizon.{0,60}|t-mobile.{0,40})$/i,
  /^sent from (outlook|yahoo mail|mail|gmail|hey|spark|airmail|proton ?mail|aol|mailbird|thunderbird|fairemail|k-9 mail|aquamail|bluemail|edison|superhuman)( (for|on|from) .{1,40})?$/i,
  /^sent (with|via) (proton ?mail.{0,30}|the samsung.{0,60}|bluemail.{0,30}|aquamail.{0,30}|yahoo.{0,40}|superhuman.{0,20}|airmail.{0,20}|spark.{0,20}|mailtrack.{0,20}|fairemail.{0,20}|tutanota.{0,30}|the yahoo.{0,40})$/i,
  /^get (outlook|bluemail) for .{1,30}$/i,
  /^(typed|written|sent) (on|from|by) (my|a) (phone|mobile|iphone|ipad|tablet)[^\n]{0,60}$/i,
  /^please excuse (my |any )?(brevity|typos)[^\n]{0,80}$/i,
  // de
  /^(von|aus) (meinem|meiner|mein) .{1,40} gesendet$/i,
  /^(gesendet|diese nachricht wurde) (von|mit|über|aus) .{1,60}( gesendet)?$/i,
  /^holen sie sich outlook für .{1,30}$/i,
  /^outlook für (android|ios) beziehen$/i,
  // fr
  /^envoyé (de(puis)?|à partir de|avec|par) (mon |ma |l['’]application )?.{1,40}$/i,
  /^(télécharge[rz]|obtenir|obtenez) outlook pour .{1,30}$/i,
  // es
  /^enviado desde (mi |un )?.{1,40}$/i,
  /^(obtener|descargar|obtenga) outlook para .{1,30}$/i,
  // it
  /^inviat[oa] (da|dal|dall['’]|con)\s?(il )?(mio |mia )?.{1,40}$/i,
  /^(scarica|ottieni) outlook per .{1,30}$/i,
  // nl
  /^(verstuurd|verzonden|gestuurd) (vanaf|vanuit|met|via|van) (mijn )?.{1,40}$/i,
  /^outlook voor (android|ios) (downloaden|ophalen)$/i,
  /^download outlook voor .{1,30}$/i,
  // pl
  /^wysłan[eoay] (z|ze|przez|za pomocą) (mojego |mojej )?.{1,40}$/i,
  /^pobierz (aplikację )?outlook dla .{1,30}$/i,
  // pt
  /^enviad[oa] (do|da|de|a partir do|pelo|via) (meu |minha )?.{1,40}$/i,
  /^(obter|obtenha|baixar) o? ?outlook para .{1,30}$/i,
  // ru
  /^отправлен[ооа]? (с|со|из|через) .{1,40}$/i,
  /^(скачать|загрузить|получить) outlook для .{1,30}$/i,
  // sv, da, nb
  /^skickat från (min |mitt )?.{1,40}$/i,
  /^(hämta|skaffa) outlook för .{1,30}$/i,
  /^sendt (fra|med|via) (min |mit |mitt )?.{1,40}$/i,
  /^(hent|få|skaff) outlook (til|for) .{1,30}$/i,
  // fi
  /^lähetetty .{1,40}$/i,
  /^(hanki|lataa) outlook .{1,30}$/i,
  // cs
  /^odesláno (z|ze|pomocí) (mého |mé )?.{1,40}$/i,
  /^(získat|stáhnout|získejte) outlook pro .{1,30}$/i,
  // zh
  /^(发自|來自|来自|從|从|寄自)\s{0,3}(我的\s{0,3})?.{1,30}(传送|傳送|发送|的邮件)?$/,
  /^获取\s{0,3}outlook.{1,30}$/i,
  // ja
  /^.{0,20}(iphone|ipad|android|スマートフォン|携帯).{0,10}から送信.{0,10}$/i,
  /^outlook for (ios|android).{0,20}を入手.{0,10}$/i,
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

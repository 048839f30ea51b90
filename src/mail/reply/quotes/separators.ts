// Lines that separate quoted or forwarded text: lower case, without dashes.

/** Old text follows. email-reply-parser knows four more. */
export const originalMessage: readonly string[] = [
  'original email',
  'reply message', // en
  'originalnachricht',
  'original-nachricht', // de
  'message original',
  'message initial', // fr
  'mensaje original', // es
  'messaggio originale', // it
  'oorspronkelijk bericht',
  'origineel bericht', // nl
  'wiadomość oryginalna',
  'oryginalna wiadomość', // pl
  'mensagem original', // pt
  'исходное сообщение', // ru
  'ursprungligt meddelande',
  'originalmeddelande', // sv
  'oprindelig meddelelse', // da
  'opprinnelig melding',
  'original melding', // nb
  'alkuperäinen viesti', // fi
  'původní zpráva',
  'původní e-mail', // cs
  '原始邮件',
  '原始郵件', // zh
  '元のメッセージ', // ja
];

/** What follows is what the customer wants to show. */
export const forwardedMessage: readonly string[] = [
  'forwarded message',
  'forwarded by',
  'forwarded mail',
  'begin forwarded message',
  'forwarded email',
  'forward message', // en
  'weitergeleitete nachricht',
  'anfang der weitergeleiteten nachricht',
  'anfang der weitergeleiteten e-mail',
  'weitergeleitete mail', // de
  'message transféré',
  'message transmis',
  'début du message transféré',
  'début du message réexpédié',
  'courriel transféré', // fr
  'mensaje reenviado',
  'inicio del mensaje reenviado', // es
  'messaggio inoltrato',
  'inizio messaggio inoltrato',
  'inizio del messaggio inoltrato', // it
  'doorgestuurd bericht',
  'begin doorgestuurd bericht', // nl
  'przekazana wiadomość',
  'wiadomość przekazana',
  'treść przekazanej wiadomości', // pl
  'mensagem encaminhada',
  'mensagem reencaminhada',
  'início da mensagem encaminhada',
  'início da mensagem reencaminhada', // pt
  'пересылаемое сообщение',
  'пересланное сообщение',
  'перенаправленное сообщение',
  'начало переадресованного сообщения', // ru
  'vidarebefordrat meddelande',
  'vidarebefordrat brev',
  'början på vidarebefordrat brev', // sv
  'videresendt meddelelse',
  'videresendt besked',
  'start på videresendt besked', // da
  'videresendt melding',
  'videresendt e-post',
  'begynnelse på videresendt melding', // nb
  'välitetty viesti',
  'edelleen lähetetty viesti', // fi
  'přeposlaná zpráva',
  'předaná zpráva',
  'začátek přeposílané zprávy',
  'přeposlaný e-mail', // cs
  '转发的邮件',
  '转发邮件',
  '已转发邮件',
  '轉寄的郵件',
  '轉寄郵件',
  '开始转发的邮件', // zh
  '転送メッセージ',
  '転送されたメッセージ',
  '転送メール', // ja
];

/** Subject prefixes of a forward, lower case without the colon. */
export const forwardPrefixes: readonly string[] = [
  'fw',
  'fwd',
  'forward',
  'wg',
  'tr',
  'trans',
  'rv',
  'reenv',
  'i',
  'inoltra',
  'doorst',
  'pd',
  'enc',
  'res enc',
  'пересл',
  'vb',
  'vl',
  'přeposlat',
  'fs',
  '转发',
  '轉寄',
  '転送',
  '转寄',
];

/** A forward in Norwegian, a reply in Finnish: the language of the header block decides. */
export const norwegianForward = 'vs';

/** Lines by which a desk asks for the reply above them. */
export const replyAbove: readonly RegExp[] = [
  /^##-.{0,120}-##$/,
  /^[-–—=#*~_ ]{2,20}.{0,40}\b(reply|write|type|respond)\b.{0,30}\babove this line\b.{0,40}$/i,
];

/** The customer says that the answers are inside the quotation: nothing below is folded. */
export const answersWithin: readonly RegExp[] = [
  /\b(see|find|my|our)\b.{0,40}\b(comments?|answers?|replies|responses?|notes?|remarks?)\b.{0,40}\b(below|inline|in-line|in red|in blue|in bold|in green|between)\b/i,
  /\b(comments?|answers?|replies|responses?|answered|replied|commented)\b.{0,20}\b(below|inline|in-line|in red|in blue|in green)\b/i,
  /\b(see|comments?|answers?) (below|inline)\b/i,
  /\b(antworten?|kommentare?|anmerkungen)\b.{0,40}\b(unten|im text|in rot|in blau|weiter unten|direkt im)\b/i,
  /\b(siehe|s\.) unten\b/i,
  /\b(réponses?|commentaires?)\b.{0,40}(ci-dessous|dans le texte|en rouge|en bleu|plus bas)/i,
  /\bvoir ci-dessous\b/i,
  /\b(respuestas?|comentarios?|respond[oí])\b.{0,40}\b(abajo|en rojo|entre líneas|más abajo)\b/i,
  /\b(risposte?|commenti?|rispondo)\b.{0,40}\b(sotto|in rosso|di seguito|nel testo)\b/i,
  /\b(antwoorden?|opmerkingen|reactie)\b.{0,40}\b(hieronder|onder|in rood|tussen de tekst)\b/i,
  /\b(odpowiedzi|komentarze|uwagi)\b.{0,40}(poniżej|na czerwono|w tekście)/i,
  /\b(respostas?|comentários?)\b.{0,40}\b(abaixo|em vermelho|no texto)\b/i,
  /(ответы|комментарии|отвечаю)[^\n]{0,40}(ниже|красным|в тексте)/i,
  /\b(svar|kommentarer)\b.{0,40}\b(nedan|nedenfor|nedenunder|i rött|i rødt|inline)\b/i,
  /\b(vastaukset|kommentit)\b.{0,40}(alla|alempana|punaisella)/i,
  /\b(odpovědi|komentáře)\b.{0,40}(níže|červeně|v textu)/i,
  /(见下|如下回复|回复如下|下方红色|見下)/,
  /(以下に回答|インラインで|下記に回答|赤字)/,
];

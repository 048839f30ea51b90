// Replies as mail programs write them: [mail program and language, what follows the customer's own sentence].

/** The first word of each is the language; everything after the customer's sentence should be folded away. */
export const quotedTails: readonly (readonly [string, string])[] = [
  [
    'en Gmail',
    'On Tue, Sep 8, 2026 at 3:14 PM Desk Support <help@desk.example> wrote:\n\n> Hello,\n> have you tried again?\n',
  ],
  [
    'en Gmail, wrapped',
    'On Tue, Sep 8, 2026 at 3:14 PM Desk Support With A Long Name <\nticket+01j@in.desk.example> wrote:\n\n> Hello,\n> have you tried again?\n',
  ],
  [
    'en Gmail, quoted without marks',
    'On Tue, Sep 8, 2026 at 3:14 PM Desk Support <help@desk.example> wrote:\n\nHello,\nhave you tried again?\n',
  ],
  ['en Apple Mail', '> On 8 Sep 2026, at 15:14, Desk Support <help@desk.example> wrote:\n> \n> Hello\n'],
  [
    'en iPhone',
    'Sent from my iPhone\n\n> On Sep 8, 2026, at 3:14 PM, Desk Support <help@desk.example> wrote:\n> \n> Hello\n',
  ],
  ['en Thunderbird', 'On 08/09/2026 15:14, Desk Support wrote:\n> Hello\n> again\n'],
  [
    'en Outlook',
    'From: Desk Support <help@desk.example>\nSent: Tuesday, September 8, 2026 3:14 PM\nTo: Jo <jo@example.com>\nSubject: Re: Printer\n\nHello\n',
  ],
  [
    'en Outlook, old',
    '-----Original Message-----\nFrom: Desk Support [mailto:help@desk.example]\nSent: Tuesday, September 08, 2026 3:14 PM\nTo: Jo\nSubject: Re: Printer\n\nHello\n',
  ],
  [
    'en Outlook on the web',
    '________________________________\nFrom: Desk Support <help@desk.example>\nSent: Tuesday, September 8, 2026 3:14 PM\nTo: Jo <jo@example.com>\nSubject: Re: Printer\n\nHello\n',
  ],
  [
    'en Outlook for iOS',
    'Get Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Desk Support <help@desk.example>\nSent: Tuesday, September 8, 2026 3:14:12 PM\nTo: Jo <jo@example.com>\nSubject: Re: Printer\n\nHello\n',
  ],
  [
    'en Outlook as HTML made text',
    '*From:* Desk Support <help@desk.example>\n*Sent:* Tuesday, September 8, 2026 3:14 PM\n*To:* Jo <jo@example.com>\n*Subject:* Re: Printer\n\nHello\n',
  ],
  [
    'en Outlook for Mac',
    'From: Desk Support <help@desk.example>\nDate: Tuesday, 8 September 2026 at 15:14\nTo: Jo <jo@example.com>\nSubject: Re: Printer\n\nHello\n',
  ],
  [
    'en Hotmail',
    'Date: Tue, 8 Sep 2026 15:14:00 +0200\nSubject: Re: Printer\nFrom: help@desk.example\nTo: jo@example.com\n\nHello\n',
  ],
  [
    'en Yahoo',
    '    On Tuesday, September 8, 2026 at 03:14:00 PM GMT+2, Desk Support <help@desk.example> wrote:  \n \n Hello\n',
  ],
  [
    'en Yahoo, old',
    '----- Original Message -----\nFrom: Desk Support <help@desk.example>\nTo: jo@example.com\nCc:\nSent: Tuesday, September 8, 2026 3:14 PM\nSubject: Re: Printer\n\nHello\n',
  ],
  ['en Zoho', '---- On Tue, 08 Sep 2026 15:14:00 +0200 help@desk.example wrote ----\n\nHello\n'],
  [
    'en Proton',
    '------- Original Message -------\nOn Tuesday, September 8th, 2026 at 3:14 PM, Desk Support <help@desk.example> wrote:\n\n> Hello\n',
  ],
  [
    'en Proton, sent with',
    'Sent with Proton Mail secure email.\n\nOn Tuesday, September 8th, 2026 at 3:14 PM, Desk Support <help@desk.example> wrote:\n\n> Hello\n',
  ],
  [
    'en Samsung',
    'Sent from my Galaxy\n\n-------- Original message --------\nFrom: Desk Support <help@desk.example>\nDate: 9/8/26 3:14 PM (GMT+01:00)\nTo: jo@example.com\nSubject: Re: Printer\n\nHello\n',
  ],
  ['en our own line', '##- Please type your reply above this line -##\n\nHello\n'],
  [
    'de Gmail',
    'Am Di., 8. Sept. 2026 um 15:14 Uhr schrieb Desk Support <help@desk.example>:\n\n> Hallo,\n> geht es jetzt?\n',
  ],
  ['de Gmail, wrapped', 'Am Di., 8. Sept. 2026 um 15:14 Uhr schrieb Desk Support <\nhelp@desk.example>:\n\n> Hallo,\n'],
  ['de Apple Mail', '> Am 08.09.2026 um 15:14 schrieb Desk Support <help@desk.example>:\n> \n> Hallo\n'],
  [
    'de iPhone',
    'Von meinem iPhone gesendet\n\n> Am 08.09.2026 um 15:14 schrieb Desk Support <help@desk.example>:\n> \n> Hallo\n',
  ],
  ['de Thunderbird', 'Am 08.09.26 um 15:14 schrieb Desk Support:\n> Hallo\n> nochmal\n'],
  [
    'de Outlook',
    'Von: Desk Support <help@desk.example>\nGesendet: Dienstag, 8. September 2026 15:14\nAn: Jo <jo@example.com>\nBetreff: AW: Drucker\n\nHallo\n',
  ],
  [
    'de Outlook, old',
    '-----Ursprüngliche Nachricht-----\nVon: Desk Support [mailto:help@desk.example]\nGesendet: Dienstag, 8. September 2026 15:14\nAn: Jo\nBetreff: AW: Drucker\n\nHallo\n',
  ],
  [
    'de GMX',
    'Gesendet: Dienstag, 08. September 2026 um 15:14 Uhr\nVon: "Desk Support" <help@desk.example>\nAn: jo@example.com\nBetreff: Re: Drucker\n\nHallo\n',
  ],
  [
    'de Outlook for Android',
    'Holen Sie sich Outlook für Android<https://aka.ms/AAb9ysg>\n________________________________\nVon: Desk Support <help@desk.example>\nGesendet: Dienstag, 8. September 2026 15:14\nAn: Jo <jo@example.com>\nBetreff: AW: Drucker\n\nHallo\n',
  ],
  [
    'fr Gmail',
    'Le mar. 8 sept. 2026 à 15:14, Desk Support <help@desk.example> a écrit :\n\n> Bonjour,\n> avez-vous réessayé ?\n',
  ],
  ['fr Gmail, wrapped', 'Le mar. 8 sept. 2026 à 15:14, Desk Support <help@desk.example> a\nécrit :\n\n> Bonjour,\n'],
  [
    'fr iPhone',
    'Envoyé de mon iPhone\n\n> Le 8 sept. 2026 à 15:14, Desk Support <help@desk.example> a écrit :\n> \n> Bonjour\n',
  ],
  ['fr Thunderbird', 'Le 08/09/2026 à 15:14, Desk Support a écrit :\n> Bonjour\n> encore\n'],
  [
    'fr Outlook',
    'De : Desk Support <help@desk.example>\nEnvoyé : mardi 8 septembre 2026 15:14\nÀ : Jo <jo@example.com>\nObjet : RE: Imprimante\n\nBonjour\n',
  ],
  [
    'fr Outlook, old',
    "-----Message d'origine-----\nDe : Desk Support [mailto:help@desk.example]\nEnvoyé : mardi 8 septembre 2026 15:14\nÀ : Jo\nObjet : RE: Imprimante\n\nBonjour\n",
  ],
  [
    'es Gmail',
    'El mar, 8 sept 2026 a las 15:14, Desk Support (<help@desk.example>) escribió:\n\n> Hola,\n> ¿funciona?\n',
  ],
  [
    'es iPhone',
    'Enviado desde mi iPhone\n\n> El 8 sept 2026, a las 15:14, Desk Support <help@desk.example> escribió:\n> \n> Hola\n',
  ],
  ['es Thunderbird', 'El 8/9/26 a las 15:14, Desk Support escribió:\n> Hola\n> otra vez\n'],
  [
    'es Outlook',
    'De: Desk Support <help@desk.example>\nEnviado: martes, 8 de septiembre de 2026 15:14\nPara: Jo <jo@example.com>\nAsunto: RE: Impresora\n\nHola\n',
  ],
  [
    'es Outlook, old',
    '-----Mensaje original-----\nDe: Desk Support [mailto:help@desk.example]\nEnviado el: martes, 8 de septiembre de 2026 15:14\nPara: Jo\nAsunto: RE: Impresora\n\nHola\n',
  ],
  [
    'it Gmail',
    'Il giorno mar 8 set 2026 alle ore 15:14 Desk Support <help@desk.example> ha scritto:\n\n> Ciao,\n> funziona?\n',
  ],
  [
    'it iPhone',
    'Inviato da iPhone\n\n> Il giorno 8 set 2026, alle ore 15:14, Desk Support <help@desk.example> ha scritto:\n> \n> Ciao\n',
  ],
  ['it Thunderbird', 'Il 08/09/26 15:14, Desk Support ha scritto:\n> Ciao\n> ancora\n'],
  [
    'it Outlook',
    'Da: Desk Support <help@desk.example>\nInviato: martedì 8 settembre 2026 15:14\nA: Jo <jo@example.com>\nOggetto: R: Stampante\n\nCiao\n',
  ],
  [
    'it Outlook, old',
    '-----Messaggio originale-----\nDa: Desk Support [mailto:help@desk.example]\nInviato: martedì 8 settembre 2026 15:14\nA: Jo\nOggetto: R: Stampante\n\nCiao\n',
  ],
  ['nl Gmail', 'Op di 8 sep 2026 om 15:14 schreef Desk Support <help@desk.example>:\n\n> Hallo,\n> lukt het?\n'],
  [
    'nl iPhone',
    'Verstuurd vanaf mijn iPhone\n\n> Op 8 sep 2026 om 15:14 heeft Desk Support <help@desk.example> het volgende geschreven:\n> \n> Hallo\n',
  ],
  ['nl Thunderbird', 'Op 08-09-2026 om 15:14 schreef Desk Support:\n> Hallo\n> nogmaals\n'],
  [
    'nl Outlook',
    'Van: Desk Support <help@desk.example>\nVerzonden: dinsdag 8 september 2026 15:14\nAan: Jo <jo@example.com>\nOnderwerp: RE: Printer\n\nHallo\n',
  ],
  [
    'nl Outlook, old',
    '-----Oorspronkelijk bericht-----\nVan: Desk Support [mailto:help@desk.example]\nVerzonden: dinsdag 8 september 2026 15:14\nAan: Jo\nOnderwerp: RE: Printer\n\nHallo\n',
  ],
  ['pl Gmail', 'wt., 8 wrz 2026 o 15:14 Desk Support <help@desk.example> napisał(a):\n\n> Cześć,\n> działa?\n'],
  [
    'pl iPhone',
    'Wysłane z iPhone’a\n\n> Wiadomość napisana przez Desk Support <help@desk.example> w dniu 08.09.2026, o godz. 15:14:\n> \n> Cześć\n',
  ],
  ['pl Thunderbird', 'W dniu 8.09.2026 o 15:14, Desk Support pisze:\n> Cześć\n> znowu\n'],
  [
    'pl Outlook',
    'Od: Desk Support <help@desk.example>\nWysłano: wtorek, 8 września 2026 15:14\nDo: Jo <jo@example.com>\nTemat: ODP: Drukarka\n\nCześć\n',
  ],
  [
    'pt Gmail',
    'Em ter., 8 de set. de 2026 às 15:14, Desk Support <help@desk.example> escreveu:\n\n> Olá,\n> funcionou?\n',
  ],
  [
    'pt iPhone',
    'Enviado do meu iPhone\n\n> Em 8 de set. de 2026, à(s) 15:14, Desk Support <help@desk.example> escreveu:\n> \n> Olá\n',
  ],
  ['pt Thunderbird', 'Em 08/09/2026 15:14, Desk Support escreveu:\n> Olá\n> de novo\n'],
  [
    'pt Outlook',
    'De: Desk Support <help@desk.example>\nEnviado: terça-feira, 8 de setembro de 2026 15:14\nPara: Jo <jo@example.com>\nAssunto: RES: Impressora\n\nOlá\n',
  ],
  [
    'pt Outlook, old',
    '-----Mensagem original-----\nDe: Desk Support [mailto:help@desk.example]\nEnviada em: terça-feira, 8 de setembro de 2026 15:14\nPara: Jo\nAssunto: RES: Impressora\n\nOlá\n',
  ],
  ['ru Gmail', 'вт, 8 сент. 2026 г. в 15:14, Desk Support <help@desk.example>:\n\n> Здравствуйте,\n> помогло?\n'],
  [
    'ru iPhone',
    'Отправлено с iPhone\n\n> 8 сент. 2026 г., в 15:14, Desk Support <help@desk.example> написал(а):\n> \n> Здравствуйте\n',
  ],
  ['ru Thunderbird', '08.09.2026 15:14, Desk Support пишет:\n> Здравствуйте\n> снова\n'],
  [
    'ru Outlook',
    'От: Desk Support <help@desk.example>\nОтправлено: вторник, 8 сентября 2026 г. 15:14\nКому: Jo <jo@example.com>\nТема: RE: Принтер\n\nЗдравствуйте\n',
  ],
  [
    'ru Mail.ru',
    '--\nОтправлено из Mail.ru для Android\n\nвторник, 8 сентября 2026 г., 15:14 +03:00 от Desk Support <help@desk.example>:\n\n>Здравствуйте\n>снова\n',
  ],
  ['sv Gmail', 'Den tis 8 sep. 2026 kl 15:14 skrev Desk Support <help@desk.example>:\n\n> Hej,\n> fungerar det?\n'],
  [
    'sv iPhone',
    'Skickat från min iPhone\n\n> 8 sep. 2026 kl. 15:14 skrev Desk Support <help@desk.example>:\n> \n> Hej\n',
  ],
  ['sv Thunderbird', 'Den 2026-09-08 kl. 15:14, skrev Desk Support:\n> Hej\n> igen\n'],
  [
    'sv Outlook',
    'Från: Desk Support <help@desk.example>\nSkickat: den 8 september 2026 15:14\nTill: Jo <jo@example.com>\nÄmne: SV: Skrivare\n\nHej\n',
  ],
  [
    'sv Outlook, old',
    '-----Ursprungligt meddelande-----\nFrån: Desk Support [mailto:help@desk.example]\nSkickat: den 8 september 2026 15:14\nTill: Jo\nÄmne: SV: Skrivare\n\nHej\n',
  ],
  ['da Gmail', 'Den tirs. 8. sep. 2026 kl. 15.14 skrev Desk Support <help@desk.example>:\n\n> Hej,\n> virker det?\n'],
  [
    'da iPhone',
    'Sendt fra min iPhone\n\n> Den 8. sep. 2026 kl. 15.14 skrev Desk Support <help@desk.example>:\n> \n> Hej\n',
  ],
  ['da Thunderbird', 'Den 08.09.2026 kl. 15.14 skrev Desk Support:\n> Hej\n> igen\n'],
  [
    'da Outlook',
    'Fra: Desk Support <help@desk.example>\nSendt: 8. september 2026 15:14\nTil: Jo <jo@example.com>\nEmne: SV: Printer\n\nHej\n',
  ],
  [
    'da Outlook, old',
    '-----Oprindelig meddelelse-----\nFra: Desk Support [mailto:help@desk.example]\nSendt: 8. september 2026 15:14\nTil: Jo\nEmne: SV: Printer\n\nHej\n',
  ],
  ['nb Gmail', 'tir. 8. sep. 2026 kl. 15:14 skrev Desk Support <help@desk.example>:\n\n> Hei,\n> virker det?\n'],
  [
    'nb iPhone',
    'Sendt fra min iPhone\n\n> 8. sep. 2026 kl. 15:14 skrev Desk Support <help@desk.example>:\n> \n> Hei\n',
  ],
  [
    'nb Outlook',
    'Fra: Desk Support <help@desk.example>\nSendt: tirsdag 8. september 2026 15:14\nTil: Jo <jo@example.com>\nEmne: SV: Skriver\n\nHei\n',
  ],
  [
    'nb Outlook, old',
    '-----Opprinnelig melding-----\nFra: Desk Support [mailto:help@desk.example]\nSendt: 8. september 2026 15:14\nTil: Jo\nEmne: SV: Skriver\n\nHei\n',
  ],
  ['fi Gmail', 'ti 8. syysk. 2026 klo 15.14 Desk Support <help@desk.example> kirjoitti:\n\n> Hei,\n> toimiiko?\n'],
  [
    'fi iPhone',
    'Lähetetty iPhonesta\n\n> Desk Support <help@desk.example> kirjoitti 8.9.2026 kello 15.14:\n> \n> Hei\n',
  ],
  ['fi Thunderbird', 'Desk Support kirjoitti 8.9.2026 klo 15.14:\n> Hei\n> taas\n'],
  [
    'fi Outlook',
    'Lähettäjä: Desk Support <help@desk.example>\nLähetetty: tiistai 8. syyskuuta 2026 15.14\nVastaanottaja: Jo <jo@example.com>\nAihe: VS: Tulostin\n\nHei\n',
  ],
  [
    'fi Outlook, old',
    '-----Alkuperäinen viesti-----\nLähettäjä: Desk Support [mailto:help@desk.example]\nLähetetty: 8. syyskuuta 2026 15:14\nVastaanottaja: Jo\nAihe: VS: Tulostin\n\nHei\n',
  ],
  [
    'cs Gmail',
    'út 8. 9. 2026 v 15:14 odesílatel Desk Support <help@desk.example> napsal:\n\n> Dobrý den,\n> funguje to?\n',
  ],
  ['cs iPhone', 'Odesláno z iPhonu\n\n> 8. 9. 2026 v 15:14, Desk Support <help@desk.example>:\n> \n> Dobrý den\n'],
  ['cs Thunderbird', 'Dne 08. 09. 26 v 15:14 Desk Support napsal(a):\n> Dobrý den\n> znovu\n'],
  [
    'cs Outlook',
    'Od: Desk Support <help@desk.example>\nOdesláno: úterý 8. září 2026 15:14\nKomu: Jo <jo@example.com>\nPředmět: RE: Tiskárna\n\nDobrý den\n',
  ],
  [
    'cs Seznam',
    '---------- Původní e-mail ----------\nOd: Desk Support <help@desk.example>\nKomu: jo@example.com\nDatum: 8. 9. 2026 15:14:00\nPředmět: Re: Tiskárna\n\nDobrý den\n',
  ],
  ['zh Gmail', 'Desk Support <help@desk.example> 于2026年9月8日周二 15:14写道：\n\n> 您好\n> 现在可以了吗？\n'],
  ['zh iPhone', '发自我的 iPhone\n\n> 在 2026年9月8日，15:14，Desk Support <help@desk.example> 写道：\n> \n> 您好\n'],
  ['zh Thunderbird', '在 2026/9/8 15:14, Desk Support 写道:\n> 您好\n> 再试\n'],
  [
    'zh Outlook',
    '发件人: Desk Support <help@desk.example>\n发送时间: 2026年9月8日 15:14\n收件人: Jo <jo@example.com>\n主题: 回复: 打印机\n\n您好\n',
  ],
  [
    'zh QQ',
    '------------------ 原始邮件 ------------------\n发件人: "Desk Support" <help@desk.example>;\n发送时间: 2026年9月8日(星期二) 下午3:14\n收件人: "jo"<jo@example.com>;\n主题: Re: 打印机\n\n您好\n',
  ],
  ['zh Foxmail', '发件人： Desk Support\n发送时间： 2026-09-08 15:14\n收件人： jo\n主题： Re: 打印机\n\n您好\n'],
  ['zh Gmail, traditional', 'Desk Support <help@desk.example> 於 2026年9月8日 週二 下午3:14寫道：\n\n> 您好\n'],
  ['ja Gmail', '2026年9月8日(火) 15:14 Desk Support <help@desk.example>:\n\n> こんにちは、\n> いかがですか。\n'],
  ['ja iPhone', 'iPhoneから送信\n\n> 2026/09/08 15:14、Desk Support <help@desk.example>のメール:\n> \n> こんにちは\n'],
  ['ja Thunderbird', 'On 2026/09/08 15:14, Desk Support wrote:\n> こんにちは\n> 再度\n'],
  [
    'ja Outlook',
    '差出人: Desk Support <help@desk.example>\n送信日時: 2026年9月8日 15:14\n宛先: Jo <jo@example.com>\n件名: Re: プリンター\n\nこんにちは\n',
  ],
  [
    'ja Outlook, old',
    '-----元のメッセージ-----\n差出人: Desk Support [mailto:help@desk.example]\n送信日時: 2026年9月8日 15:14\n宛先: Jo\n件名: Re: プリンター\n\nこんにちは\n',
  ],
];

/** Text that looks like a quote, a signature or a header and is the customer's own: it must stay as it is. */
export const keptWhole: readonly (readonly [string, string])[] = [
  ['a heading underlined with two dashes', 'The prices:\n--\n12 EUR\n14 EUR'],
  ['a question below two dashes', 'I paid 12 EUR.\n--\nIs that right?'],
  ['a sentence that begins with On', 'On Monday it worked.\nOn Tuesday I wrote:\nnothing at all, because it was down.'],
  [
    'a sentence in Dutch that begins with Op',
    'Op maandag werkte het nog.\n\nIk weet niet wat ik schreef:\nhet was iets met de printer.',
  ],
  ['a sentence in Chinese that begins with 在', '在登录页面上我输入了密码。\n\n然后客服写道：\n请重试。但是没有用。'],
  [
    'Sent from in a sentence',
    'The notification was sent from my iPhone app.\n\nSent from my iPhone it always fails, from the desktop it works.\nPlease fix that.',
  ],
  [
    'Cheers in the middle',
    'It works now.\nCheers,\nJo\n\nPS: the other printer is still broken, please look at it today.',
  ],
  [
    'a line of dashes between two paragraphs',
    'Here is the first error:\n\n----\nE1234 cannot open\n----\n\nand here is what I did after it.',
  ],
  ['a markdown heading', 'Steps\n====\n1. open\n2. close\n\nIt crashes at step 2.'],
  ['a shell session', 'I ran this:\n\n> npm install\n\nand it failed with an error.'],
  ['one quoted line that is answered', '> Which version do you use?\n\nVersion 4.2 on Windows.'],
  [
    'answers between the quoted lines',
    'On Dec 15, 2026, at 2:00 PM, Jane Doe <jane@example.com> wrote:\n> What about A?\n\nA is great.\n\n> What about B?\n\nB has drawbacks.',
  ],
  ['From in a sentence', 'From: the office I can log in, from home I cannot.\nTo: be honest I gave up.'],
  [
    'a log with From and To and no date',
    'The trace says\nFrom: 10.0.0.1\nTo: 10.0.0.2\nand then nothing. Can you explain it?',
  ],
  ['a journey', 'Please change my booking:\n\nFrom: London\nTo: Paris\nDate: 3 May 2026\n\nTwo adults, one child.'],
  ['a journey in Dutch', 'Graag omboeken:\n\nVan: Amsterdam\nAan: Parijs\nDatum: 3 mei 2026\n\nTwee personen.'],
  [
    'a contact form',
    'New message from your site.\n\nName: Jo\nFrom: jo@example.com\nDate: 3 May 2026\nSubject: Printer\nMessage: It burns.',
  ],
  [
    'a contact form with the message below',
    'New message from your site.\n\nFrom: jo@example.com\nDate: 3 May 2026\nSubject: Printer\nMessage:\nIt burns.',
  ],
  ['Best in a sentence', 'Best would be a refund.\n\nThe second best a replacement.'],
  ['nothing but a quotation', '> I said this\n> and that'],
  ['a diff', 'My change:\n\n--- a/file\n+++ b/file\n@@ -1 +1 @@\n-old\n+new\n\nDoes that look right?'],
  ['a French sentence with Le and écrit', 'Le manuel dit une chose.\nJe vous ai écrit :\npersonne ne répond.'],
];

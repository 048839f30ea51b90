// What the desk's mails say to customers, in each language.

import type { Locale } from '../../domain/people/preferences.ts';

export interface CustomerWords {
  receivedSubject: string;
  resolvedSubject: string;
  linkSubject: string;
  codeSubject(code: string, site: string): string;
  noSubject: string;
  received(reference: string): string;
  willAnswer: string;
  addByReply: string;
  resolved(reference: string): string;
  reopenByReply: string;
  newLink(reference: string): string;
  newLinkNotAsked: string;
  openTicket: string;
  /** In a mail of its own, and its subject; with the links by which to answer. */
  solved(reference: string): string;
  howWasHelp: string;
  helpWasGood: string;
  helpWasBad: string;
  /** Who may do what with the link. */
  linkConfirms: string;
  linkIsOpen: string;
  linkIsShared: string;
  code(site: string): string;
  codeUse: string;
  codeNotAsked: string;
  /** Mail programs know this line as the beginning of a quotation. */
  wrote(moment: string, name: string): string;
  replyToAnswer: string;
}

const en: CustomerWords = {
  receivedSubject: 'We have received your message',
  resolvedSubject: 'Your ticket is solved',
  linkSubject: 'Your new link',
  codeSubject: (code, site) => `${code} is your code for ${site}`,
  noSubject: '(no subject)',
  received: (reference) => `Thank you for your message. We have received it as ${reference}.`,
  willAnswer: 'We will read it and answer you by e-mail.',
  addByReply: 'To add something, just reply to this mail.',
  resolved: (reference) => `We have marked your ticket ${reference} as solved.`,
  reopenByReply: 'If you still need help, just reply to this mail and we will reopen it.',
  newLink: (reference) => `Here is a new link to your ticket ${reference}.`,
  newLinkNotAsked: 'If you did not ask for it, you can ignore this mail.',
  openTicket: 'Open your ticket',
  solved: (reference) => `Your ticket ${reference} is solved.`,
  howWasHelp: 'How was our help?',
  helpWasGood: 'Good',
  helpWasBad: 'Not good',
  linkConfirms:
    'Anyone who has this link can read the conversation. Only you can answer there: we first mail you a code.',
  linkIsShared:
    'Everyone who got this mail can read the conversation. To answer there, enter the code that we mail to your own address.',
  linkIsOpen: 'Anyone who has this link can read the conversation and answer. Share it only with people you trust.',
  code: (site) => `Your code for ${site} is:`,
  codeUse: 'Enter it on the page where you asked for it, within ten minutes. Tell it to no one: we never ask for it.',
  codeNotAsked: 'If you did not ask for a code, ignore this mail. Without it, no one can write in your name.',
  wrote: (moment, name) => `On ${moment}, ${name} wrote:`,
  replyToAnswer: 'Reply to this mail to answer.',
};

const nl: CustomerWords = {
  receivedSubject: 'We hebben je bericht ontvangen',
  resolvedSubject: 'Je vraag is opgelost',
  linkSubject: 'Je nieuwe link',
  codeSubject: (code, site) => `${code} is je code voor ${site}`,
  noSubject: '(geen onderwerp)',
  received: (reference) => `Bedankt voor je bericht. We hebben het ontvangen als ${reference}.`,
  willAnswer: 'We lezen het en antwoorden je per e-mail.',
  addByReply: 'Wil je iets toevoegen? Beantwoord dan gewoon deze mail.',
  resolved: (reference) => `We hebben je vraag ${reference} als opgelost gemarkeerd.`,
  reopenByReply: 'Heb je nog hulp nodig? Beantwoord dan gewoon deze mail, dan heropenen we je vraag.',
  newLink: (reference) => `Hier is een nieuwe link naar je vraag ${reference}.`,
  newLinkNotAsked: 'Heb je er niet om gevraagd? Dan kun je deze mail negeren.',
  openTicket: 'Open je vraag',
  solved: (reference) => `Je vraag ${reference} is opgelost.`,
  howWasHelp: 'Hoe was onze hulp?',
  helpWasGood: 'Goed',
  helpWasBad: 'Niet goed',
  linkConfirms:
    'Iedereen met deze link kan het gesprek lezen. Alleen jij kunt er antwoorden: we mailen je eerst een code.',
  linkIsShared:
    'Iedereen die deze mail kreeg, kan het gesprek lezen. Om daar te antwoorden, vul je de code in die we naar je eigen adres mailen.',
  linkIsOpen:
    'Iedereen met deze link kan het gesprek lezen en antwoorden. Deel hem alleen met mensen die je vertrouwt.',
  code: (site) => `Je code voor ${site} is:`,
  codeUse:
    'Vul hem binnen tien minuten in op de pagina waar je erom vroeg. Geef hem aan niemand: wij vragen er nooit naar.',
  codeNotAsked: 'Heb je geen code gevraagd? Negeer dan deze mail. Zonder de code kan niemand namens jou schrijven.',
  wrote: (moment, name) => `Op ${moment} schreef ${name}:`,
  replyToAnswer: 'Beantwoord deze mail om te reageren.',
};

const de: CustomerWords = {
  receivedSubject: 'Wir haben Ihre Nachricht erhalten',
  resolvedSubject: 'Ihre Anfrage ist gelöst',
  linkSubject: 'Ihr neuer Link',
  codeSubject: (code, site) => `${code} ist Ihr Code für ${site}`,
  noSubject: '(kein Betreff)',
  received: (reference) => `Vielen Dank für Ihre Nachricht. Wir haben sie als ${reference} erhalten.`,
  willAnswer: 'Wir lesen sie und antworten Ihnen per E-Mail.',
  addByReply: 'Wenn Sie etwas ergänzen möchten, antworten Sie einfach auf diese E-Mail.',
  resolved: (reference) => `Wir haben Ihre Anfrage ${reference} als gelöst markiert.`,
  reopenByReply: 'Wenn Sie noch Hilfe brauchen, antworten Sie einfach auf diese E-Mail. Dann öffnen wir sie wieder.',
  newLink: (reference) => `Hier ist ein neuer Link zu Ihrer Anfrage ${reference}.`,
  newLinkNotAsked: 'Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  openTicket: 'Anfrage öffnen',
  solved: (reference) => `Ihre Anfrage ${reference} ist gelöst.`,
  howWasHelp: 'Wie war unsere Hilfe?',
  helpWasGood: 'Gut',
  helpWasBad: 'Nicht gut',
  linkConfirms:
    'Wer diesen Link hat, kann das Gespräch lesen. Nur Sie können dort antworten: Vorher schicken wir Ihnen einen Code.',
  linkIsShared:
    'Wer diese E-Mail bekommen hat, kann das Gespräch lesen. Um dort zu antworten, geben Sie den Code ein, den wir an Ihre eigene Adresse schicken.',
  linkIsOpen:
    'Wer diesen Link hat, kann das Gespräch lesen und antworten. Geben Sie ihn nur an Menschen weiter, denen Sie vertrauen.',
  code: (site) => `Ihr Code für ${site} lautet:`,
  codeUse:
    'Geben Sie ihn innerhalb von zehn Minuten auf der Seite ein, auf der Sie ihn angefordert haben. Verraten Sie ihn niemandem: Wir fragen nie danach.',
  codeNotAsked:
    'Wenn Sie keinen Code angefordert haben, ignorieren Sie diese E-Mail. Ohne ihn kann niemand in Ihrem Namen schreiben.',
  wrote: (moment, name) => `Am ${moment} schrieb ${name}:`,
  replyToAnswer: 'Antworten Sie auf diese E-Mail, um zu schreiben.',
};

const fr: CustomerWords = {
  receivedSubject: 'Nous avons bien reçu votre message',
  resolvedSubject: 'Votre demande est résolue',
  linkSubject: 'Votre nouveau lien',
  codeSubject: (code, site) => `${code} est votre code pour ${site}`,
  noSubject: '(sans objet)',
  received: (reference) => `Merci pour votre message. Nous l’avons reçu sous la référence ${reference}.`,
  willAnswer: 'Nous le lirons et vous répondrons par e-mail.',
  addByReply: 'Pour ajouter quelque chose, répondez simplement à cet e-mail.',
  resolved: (reference) => `Nous avons marqué votre demande ${reference} comme résolue.`,
  reopenByReply:
    'Si vous avez encore besoin d’aide, répondez simplement à cet e-mail et nous rouvrirons votre demande.',
  newLink: (reference) => `Voici un nouveau lien vers votre demande ${reference}.`,
  newLinkNotAsked: 'Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail.',
  openTicket: 'Ouvrir votre demande',
  solved: (reference) => `Votre demande ${reference} est résolue.`,
  howWasHelp: 'Comment avez-vous trouvé notre aide ?',
  helpWasGood: 'Bonne',
  helpWasBad: 'Pas bonne',
  linkConfirms:
    'Toute personne qui a ce lien peut lire la conversation. Vous seul pouvez y répondre : nous vous envoyons d’abord un code.',
  linkIsShared:
    'Toutes les personnes qui ont reçu cet e-mail peuvent lire la conversation. Pour y répondre, saisissez le code que nous envoyons à votre propre adresse.',
  linkIsOpen:
    'Toute personne qui a ce lien peut lire la conversation et y répondre. Ne le partagez qu’avec des personnes de confiance.',
  code: (site) => `Votre code pour ${site} :`,
  codeUse:
    'Saisissez-le dans les dix minutes sur la page où vous l’avez demandé. Ne le donnez à personne : nous ne le demandons jamais.',
  codeNotAsked:
    'Si vous n’avez pas demandé de code, ignorez cet e-mail. Sans ce code, personne ne peut écrire en votre nom.',
  wrote: (moment, name) => `Le ${moment}, ${name} a écrit :`,
  replyToAnswer: 'Répondez à cet e-mail pour nous écrire.',
};

const es: CustomerWords = {
  receivedSubject: 'Hemos recibido su mensaje',
  resolvedSubject: 'Su solicitud está resuelta',
  linkSubject: 'Su nuevo enlace',
  codeSubject: (code, site) => `${code} es su código para ${site}`,
  noSubject: '(sin asunto)',
  received: (reference) => `Gracias por su mensaje. Lo hemos recibido como ${reference}.`,
  willAnswer: 'Lo leeremos y le responderemos por correo electrónico.',
  addByReply: 'Si quiere añadir algo, responda a este correo.',
  resolved: (reference) => `Hemos marcado su solicitud ${reference} como resuelta.`,
  reopenByReply: 'Si todavía necesita ayuda, responda a este correo y la volveremos a abrir.',
  newLink: (reference) => `Aquí tiene un nuevo enlace a su solicitud ${reference}.`,
  newLinkNotAsked: 'Si no lo ha pedido, puede ignorar este correo.',
  openTicket: 'Abrir su solicitud',
  solved: (reference) => `Su solicitud ${reference} está resuelta.`,
  howWasHelp: '¿Qué le ha parecido nuestra ayuda?',
  helpWasGood: 'Buena',
  helpWasBad: 'Mala',
  linkConfirms:
    'Quien tenga este enlace puede leer la conversación. Solo usted puede responder allí: antes le enviamos un código.',
  linkIsShared:
    'Todos los que recibieron este correo pueden leer la conversación. Para responder allí, introduzca el código que enviamos a su propia dirección.',
  linkIsOpen:
    'Quien tenga este enlace puede leer la conversación y responder. Compártalo solo con personas de confianza.',
  code: (site) => `Su código para ${site} es:`,
  codeUse:
    'Introdúzcalo en menos de diez minutos en la página donde lo pidió. No se lo diga a nadie: nunca se lo pediremos.',
  codeNotAsked: 'Si no ha pedido un código, ignore este correo. Sin él, nadie puede escribir en su nombre.',
  wrote: (moment, name) => `El ${moment}, ${name} escribió:`,
  replyToAnswer: 'Responda a este correo para contestar.',
};

export const customerWords: Readonly<Record<Locale, CustomerWords>> = { en, nl, de, fr, es };

// What the desk's mails about tickets say to agents, in each language. Commands are the same in all.

import type { AnswerProblem } from '../../domain/mail/answer.ts';
import type { Locale } from '../../domain/people/preferences.ts';
import type { SlaClock } from '../../domain/sla/clock.ts';

export interface AgentWords {
  assignedSubject: string;
  teamSubject: string;
  teamWaitsSubject: string;
  repliedSubject: string;
  warnedSubject: string;
  breachedSubject: string;
  notedSubject: string;
  asideSubject: string;
  aside(from: string): string;
  togetherSubject(count: number, site: string): string;
  /** Above what the desk writes: mail programs quote it below the answer. */
  answerAbove: string;
  assigned(by: string): string;
  teamAssigned(by: string): string;
  teamWaiting: string;
  assignedTogether(by: string, count: number): string;
  more(count: number): string;
  anotherSite: string;
  replied(name: string): string;
  warned: Record<SlaClock, string>;
  breached: Record<SlaClock, string>;
  theCustomer: string;
  customer: string;
  clock: Record<SlaClock, string>;
  due(moment: string, span: string): string;
  done(moment: string): string;
  paused: string;
  open(reference: string): string;
  openTickets: string;
  answersAre: Record<'note' | 'reply', string>;
  commands: string;
  noted: string;
  problems: Record<AnswerProblem, (line: string) => string>;
  becauseOfTicket: string;
  becauseOfTickets: string;
  mentionedSubject: string;
  mentioned(by: string): string;
  digestSubject(count: number, site: string): string;
  openNotifications: string;
  alarms: Record<'mail_held' | 'backup_failed' | 'disk_low', string>;
  choose: string;
  becauseOfNotifications: string;
}

const en: AgentWords = {
  assignedSubject: 'Assigned to you: ',
  teamSubject: 'For your team: ',
  teamWaitsSubject: 'Waiting for your team: ',
  repliedSubject: 'Customer replied: ',
  warnedSubject: 'SLA warning: ',
  breachedSubject: 'SLA breached: ',
  notedSubject: 'Your answer was only noted: ',
  togetherSubject: (count, site) => `Assigned to you: ${count} tickets (${site})`,
  asideSubject: 'Answer in a side conversation: ',
  aside: (from) => `${from} has answered in a side conversation, which the customer does not see:`,
  answerAbove: 'Write your answer above this line',
  teamAssigned: (by) => `${by} gave this ticket to your team.`,
  teamWaiting: 'No one on your team has taken this ticket yet.',
  assigned: (by) => `${by} assigned this ticket to you.`,
  assignedTogether: (by, count) => `${by} assigned ${count} tickets to you.`,
  more: (count) => `And ${count} more.`,
  anotherSite: 'Another site',
  replied: (name) => `${name} has answered.`,
  warned: { first_response: 'The first response is due soon.', resolution: 'The resolution is due soon.' },
  breached: { first_response: 'The first response is overdue.', resolution: 'The resolution is overdue.' },
  theCustomer: 'The customer',
  customer: 'Customer',
  clock: { first_response: 'First response', resolution: 'Resolution' },
  due: (moment, span) => `due ${moment} (${span})`,
  done: (moment) => `done ${moment}`,
  paused: 'paused',
  open: (reference) => `Open ${reference}`,
  openTickets: 'Open your tickets',
  answersAre: {
    note: 'Answer this mail to add a note for your team. To answer the customer, begin with a line /reply.',
    reply: 'Answer this mail to answer the customer. To add a note for your team instead, begin with a line /note.',
  },
  commands: 'Commands for the first lines:',
  noted: 'Nothing was sent to the customer. Your text is kept as a note on the ticket.',
  problems: {
    not_proven: () =>
      'A mail came to your address for answers to this ticket, but nothing proves that you sent it. It is kept as a note on the ticket.',
    expired: () => 'Your answer came more than 90 days after our mail. It is kept as a note on the ticket.',
    off: () => 'This site takes no answers by mail.',
    unknown_command: (line) => `We do not know this command: ${line}`,
    unclear_command: (line) => `We cannot tell what this command means: ${line}`,
    not_allowed: () => 'You are not allowed to do this, or it is not possible with this ticket now.',
    merged: () => 'The ticket that you answered was merged into a ticket of another customer.',
    unclear_quote: () => 'We could not tell your own words from quoted text, which the customer must not see.',
    too_long: () => 'Your answer has more than 10,000 characters.',
    no_words: () => 'Your answer has no text of its own.',
    refused_files: () => 'At least one file was not accepted.',
  },
  becauseOfTicket: 'Sent by Helpdesk because this ticket concerns you.',
  becauseOfTickets: 'Sent by Helpdesk because you are responsible for these tickets.',
  mentionedSubject: 'Mentioned you: ',
  mentioned: (by) => `${by} mentioned you:`,
  digestSubject: (count, site) => `${count} ${count === 1 ? 'notification' : 'notifications'} (${site})`,
  openNotifications: 'Open your notifications',
  alarms: {
    mail_held: 'Mail is held',
    backup_failed: 'A backup failed',
    disk_low: 'The disk is nearly full',
  },
  choose: 'Choose what you hear of',
  becauseOfNotifications: 'Sent by Helpdesk because you have not read these notifications.',
};

const nl: AgentWords = {
  assignedSubject: 'Aan jou toegewezen: ',
  teamSubject: 'Voor jouw team: ',
  teamWaitsSubject: 'Ticket van jouw team wacht: ',
  repliedSubject: 'Antwoord van de klant: ',
  warnedSubject: 'SLA-waarschuwing: ',
  breachedSubject: 'SLA overschreden: ',
  notedSubject: 'Je antwoord is alleen genoteerd: ',
  togetherSubject: (count, site) => `Aan jou toegewezen: ${count} tickets (${site})`,
  asideSubject: 'Antwoord in een zijgesprek: ',
  aside: (from) => `${from} heeft geantwoord in een zijgesprek, dat de klant niet ziet:`,
  answerAbove: 'Schrijf je antwoord boven deze regel',
  teamAssigned: (by) => `${by} heeft dit ticket aan jouw team gegeven.`,
  teamWaiting: 'Nog niemand van jouw team heeft dit ticket.',
  assigned: (by) => `${by} heeft dit ticket aan jou toegewezen.`,
  assignedTogether: (by, count) => `${by} heeft ${count} tickets aan jou toegewezen.`,
  more: (count) => `En nog ${count}.`,
  anotherSite: 'Een andere site',
  replied: (name) => `${name} heeft geantwoord.`,
  warned: {
    first_response: 'De eerste reactie moet binnenkort klaar zijn.',
    resolution: 'De oplossing moet binnenkort klaar zijn.',
  },
  breached: { first_response: 'De eerste reactie is te laat.', resolution: 'De oplossing is te laat.' },
  theCustomer: 'De klant',
  customer: 'Klant',
  clock: { first_response: 'Eerste reactie', resolution: 'Oplossing' },
  due: (moment, span) => `uiterlijk ${moment} (${span})`,
  done: (moment) => `klaar op ${moment}`,
  paused: 'gepauzeerd',
  open: (reference) => `${reference} openen`,
  openTickets: 'Je tickets openen',
  answersAre: {
    note: 'Beantwoord deze mail om een notitie voor je team toe te voegen. Begin met een regel /reply om de klant te antwoorden.',
    reply:
      'Beantwoord deze mail om de klant te antwoorden. Begin met een regel /note om in plaats daarvan een notitie voor je team toe te voegen.',
  },
  commands: 'Opdrachten voor de eerste regels:',
  noted: 'Er is niets naar de klant gestuurd. Je tekst staat als notitie bij het ticket.',
  problems: {
    not_proven: () =>
      'Er kwam een mail op jouw antwoordadres voor dit ticket, maar niets bewijst dat jij hem hebt gestuurd. Hij staat als notitie bij het ticket.',
    expired: () => 'Je antwoord kwam meer dan 90 dagen na onze mail. Het staat als notitie bij het ticket.',
    off: () => 'Deze site neemt geen antwoorden per mail aan.',
    unknown_command: (line) => `We kennen deze opdracht niet: ${line}`,
    unclear_command: (line) => `We weten niet wat deze opdracht betekent: ${line}`,
    not_allowed: () => 'Je mag dit niet doen, of het kan nu niet bij dit ticket.',
    merged: () => 'Het ticket waarop je hebt geantwoord, is samengevoegd met een ticket van een andere klant.',
    unclear_quote: () =>
      'We konden je eigen woorden niet onderscheiden van geciteerde tekst, die de klant niet mag zien.',
    too_long: () => 'Je antwoord heeft meer dan 10.000 tekens.',
    no_words: () => 'Je antwoord heeft geen eigen tekst.',
    refused_files: () => 'Minstens één bestand is niet aangenomen.',
  },
  becauseOfTicket: 'Verstuurd door Helpdesk omdat dit ticket jou aangaat.',
  becauseOfTickets: 'Verstuurd door Helpdesk omdat jij verantwoordelijk bent voor deze tickets.',
  mentionedSubject: 'Jij genoemd: ',
  mentioned: (by) => `${by} heeft je genoemd:`,
  digestSubject: (count, site) => `${count} ${count === 1 ? 'melding' : 'meldingen'} (${site})`,
  openNotifications: 'Je meldingen openen',
  alarms: {
    mail_held: 'Er is mail vastgehouden',
    backup_failed: 'Een back-up is mislukt',
    disk_low: 'De schijf is bijna vol',
  },
  choose: 'Kiezen waarvan je hoort',
  becauseOfNotifications: 'Verstuurd door Helpdesk omdat je deze meldingen niet hebt gelezen.',
};

const de: AgentWords = {
  assignedSubject: 'Ihnen zugewiesen: ',
  teamSubject: 'Für Ihr Team: ',
  teamWaitsSubject: 'Ticket Ihres Teams wartet: ',
  repliedSubject: 'Antwort des Kunden: ',
  warnedSubject: 'SLA-Warnung: ',
  breachedSubject: 'SLA verletzt: ',
  notedSubject: 'Ihre Antwort wurde nur notiert: ',
  togetherSubject: (count, site) => `Ihnen zugewiesen: ${count} Tickets (${site})`,
  asideSubject: 'Antwort in einem Nebengespräch: ',
  aside: (from) => `${from} hat in einem Nebengespräch geantwortet, das der Kunde nicht sieht:`,
  answerAbove: 'Schreiben Sie Ihre Antwort über diese Zeile',
  teamAssigned: (by) => `${by} hat dieses Ticket Ihrem Team gegeben.`,
  teamWaiting: 'Noch niemand aus Ihrem Team hat dieses Ticket.',
  assigned: (by) => `${by} hat Ihnen dieses Ticket zugewiesen.`,
  assignedTogether: (by, count) => `${by} hat Ihnen ${count} Tickets zugewiesen.`,
  more: (count) => `Und ${count} weitere.`,
  anotherSite: 'Eine andere Site',
  replied: (name) => `${name} hat geantwortet.`,
  warned: { first_response: 'Die erste Antwort ist bald fällig.', resolution: 'Die Lösung ist bald fällig.' },
  breached: { first_response: 'Die erste Antwort ist überfällig.', resolution: 'Die Lösung ist überfällig.' },
  theCustomer: 'Der Kunde',
  customer: 'Kunde',
  clock: { first_response: 'Erste Antwort', resolution: 'Lösung' },
  due: (moment, span) => `fällig am ${moment} (${span})`,
  done: (moment) => `erledigt am ${moment}`,
  paused: 'angehalten',
  open: (reference) => `${reference} öffnen`,
  openTickets: 'Ihre Tickets öffnen',
  answersAre: {
    note: 'Antworten Sie auf diese Mail, um eine Notiz für Ihr Team hinzuzufügen. Um dem Kunden zu antworten, beginnen Sie mit einer Zeile /reply.',
    reply:
      'Antworten Sie auf diese Mail, um dem Kunden zu antworten. Für eine Notiz an Ihr Team beginnen Sie mit einer Zeile /note.',
  },
  commands: 'Befehle für die ersten Zeilen:',
  noted: 'Dem Kunden wurde nichts geschickt. Ihr Text steht als Notiz am Ticket.',
  problems: {
    not_proven: () =>
      'An Ihre Antwortadresse für dieses Ticket kam eine Mail, aber nichts beweist, dass Sie sie geschickt haben. Sie steht als Notiz am Ticket.',
    expired: () => 'Ihre Antwort kam mehr als 90 Tage nach unserer Mail. Sie steht als Notiz am Ticket.',
    off: () => 'Diese Site nimmt keine Antworten per Mail an.',
    unknown_command: (line) => `Diesen Befehl kennen wir nicht: ${line}`,
    unclear_command: (line) => `Was dieser Befehl bedeutet, ist nicht eindeutig: ${line}`,
    not_allowed: () => 'Sie dürfen das nicht, oder es geht bei diesem Ticket gerade nicht.',
    merged: () =>
      'Das Ticket, auf das Sie geantwortet haben, wurde mit einem Ticket eines anderen Kunden zusammengeführt.',
    unclear_quote: () =>
      'Wir konnten Ihre eigenen Worte nicht von zitiertem Text unterscheiden, den der Kunde nicht sehen darf.',
    too_long: () => 'Ihre Antwort hat mehr als 10.000 Zeichen.',
    no_words: () => 'Ihre Antwort hat keinen eigenen Text.',
    refused_files: () => 'Mindestens eine Datei wurde nicht angenommen.',
  },
  becauseOfTicket: 'Von Helpdesk gesendet, weil dieses Ticket Sie betrifft.',
  becauseOfTickets: 'Von Helpdesk gesendet, weil Sie für diese Tickets zuständig sind.',
  mentionedSubject: 'Sie wurden erwähnt: ',
  mentioned: (by) => `${by} hat Sie erwähnt:`,
  digestSubject: (count, site) => `${count} ${count === 1 ? 'Benachrichtigung' : 'Benachrichtigungen'} (${site})`,
  openNotifications: 'Ihre Benachrichtigungen öffnen',
  alarms: {
    mail_held: 'E-Mail wurde zurückgehalten',
    backup_failed: 'Eine Sicherung ist fehlgeschlagen',
    disk_low: 'Der Speicherplatz ist fast voll',
  },
  choose: 'Auswählen, wovon Sie hören',
  becauseOfNotifications: 'Von Helpdesk gesendet, weil Sie diese Benachrichtigungen nicht gelesen haben.',
};

const fr: AgentWords = {
  assignedSubject: 'Ticket qui vous est attribué : ',
  teamSubject: 'Pour votre équipe : ',
  teamWaitsSubject: 'Un ticket de votre équipe attend : ',
  repliedSubject: 'Réponse du client : ',
  warnedSubject: 'Alerte SLA : ',
  breachedSubject: 'SLA dépassé : ',
  notedSubject: 'Votre réponse a seulement été notée : ',
  togetherSubject: (count, site) => `${count} tickets vous sont attribués (${site})`,
  asideSubject: 'Réponse dans une conversation annexe : ',
  aside: (from) => `${from} a répondu dans une conversation annexe, que le client ne voit pas :`,
  answerAbove: 'Écrivez votre réponse au-dessus de cette ligne',
  teamAssigned: (by) => `${by} a confié ce ticket à votre équipe.`,
  teamWaiting: 'Personne dans votre équipe n’a encore ce ticket.',
  assigned: (by) => `${by} vous a attribué ce ticket.`,
  assignedTogether: (by, count) => `${by} vous a attribué ${count} tickets.`,
  more: (count) => `Et ${count} de plus.`,
  anotherSite: 'Un autre site',
  replied: (name) => `${name} a répondu.`,
  warned: {
    first_response: 'L’échéance de la première réponse approche.',
    resolution: 'L’échéance de la résolution approche.',
  },
  breached: { first_response: 'La première réponse est en retard.', resolution: 'La résolution est en retard.' },
  theCustomer: 'Le client',
  customer: 'Client',
  clock: { first_response: 'Première réponse', resolution: 'Résolution' },
  due: (moment, span) => `pour le ${moment} (${span})`,
  done: (moment) => `faite le ${moment}`,
  paused: 'en pause',
  open: (reference) => `Ouvrir ${reference}`,
  openTickets: 'Ouvrir vos tickets',
  answersAre: {
    note: 'Répondez à ce mail pour ajouter une note pour votre équipe. Pour répondre au client, commencez par une ligne /reply.',
    reply:
      'Répondez à ce mail pour répondre au client. Pour ajouter plutôt une note pour votre équipe, commencez par une ligne /note.',
  },
  commands: 'Commandes pour les premières lignes :',
  noted: 'Rien n’a été envoyé au client. Votre texte est conservé comme note sur le ticket.',
  problems: {
    not_proven: () =>
      'Un mail est arrivé à votre adresse de réponse pour ce ticket, mais rien ne prouve que vous l’avez envoyé. Il est conservé comme note sur le ticket.',
    expired: () =>
      'Votre réponse est arrivée plus de 90 jours après notre mail. Elle est conservée comme note sur le ticket.',
    off: () => 'Ce site n’accepte pas de réponses par mail.',
    unknown_command: (line) => `Nous ne connaissons pas cette commande : ${line}`,
    unclear_command: (line) => `Le sens de cette commande n’est pas clair : ${line}`,
    not_allowed: () => 'Vous n’en avez pas le droit, ou ce n’est pas possible sur ce ticket actuellement.',
    merged: () => 'Le ticket auquel vous avez répondu a été fusionné avec celui d’un autre client.',
    unclear_quote: () => 'Nous n’avons pas pu distinguer vos mots du texte cité, que le client ne doit pas voir.',
    too_long: () => 'Votre réponse a plus de 10 000 caractères.',
    no_words: () => 'Votre réponse ne contient aucun texte.',
    refused_files: () => 'Au moins un fichier n’a pas été accepté.',
  },
  becauseOfTicket: 'Envoyé par Helpdesk parce que ce ticket vous concerne.',
  becauseOfTickets: 'Envoyé par Helpdesk parce que vous êtes responsable de ces tickets.',
  mentionedSubject: 'Vous êtes mentionné : ',
  mentioned: (by) => `${by} vous a mentionné :`,
  digestSubject: (count, site) => `${count} ${count === 1 ? 'notification' : 'notifications'} (${site})`,
  openNotifications: 'Ouvrir vos notifications',
  alarms: {
    mail_held: 'Des e-mails sont retenus',
    backup_failed: 'Une sauvegarde a échoué',
    disk_low: 'Le disque est presque plein',
  },
  choose: 'Choisir ce qui vous est signalé',
  becauseOfNotifications: 'Envoyé par Helpdesk parce que vous n’avez pas lu ces notifications.',
};

const es: AgentWords = {
  assignedSubject: 'Asignado a ti: ',
  teamSubject: 'Para tu equipo: ',
  teamWaitsSubject: 'Un ticket de tu equipo espera: ',
  repliedSubject: 'Respuesta del cliente: ',
  warnedSubject: 'Aviso de SLA: ',
  breachedSubject: 'SLA incumplido: ',
  notedSubject: 'Tu respuesta solo se ha anotado: ',
  togetherSubject: (count, site) => `${count} tickets asignados a ti (${site})`,
  asideSubject: 'Respuesta en una conversación paralela: ',
  aside: (from) => `${from} ha respondido en una conversación paralela, que el cliente no ve:`,
  answerAbove: 'Escribe tu respuesta por encima de esta línea',
  teamAssigned: (by) => `${by} ha pasado este ticket a tu equipo.`,
  teamWaiting: 'Nadie de tu equipo tiene aún este ticket.',
  assigned: (by) => `${by} te ha asignado este ticket.`,
  assignedTogether: (by, count) => `${by} te ha asignado ${count} tickets.`,
  more: (count) => `Y ${count} más.`,
  anotherSite: 'Otro sitio',
  replied: (name) => `${name} ha respondido.`,
  warned: {
    first_response: 'La primera respuesta vence pronto.',
    resolution: 'La resolución vence pronto.',
  },
  breached: { first_response: 'La primera respuesta va con retraso.', resolution: 'La resolución va con retraso.' },
  theCustomer: 'El cliente',
  customer: 'Cliente',
  clock: { first_response: 'Primera respuesta', resolution: 'Resolución' },
  due: (moment, span) => `vence el ${moment} (${span})`,
  done: (moment) => `hecha el ${moment}`,
  paused: 'en pausa',
  open: (reference) => `Abrir ${reference}`,
  openTickets: 'Abrir tus tickets',
  answersAre: {
    note: 'Responde a este correo para añadir una nota para tu equipo. Para responder al cliente, empieza con una línea /reply.',
    reply:
      'Responde a este correo para responder al cliente. Para añadir en su lugar una nota para tu equipo, empieza con una línea /note.',
  },
  commands: 'Órdenes para las primeras líneas:',
  noted: 'No se ha enviado nada al cliente. Tu texto queda como nota en el ticket.',
  problems: {
    not_proven: () =>
      'Ha llegado un correo a tu dirección de respuesta de este ticket, pero nada demuestra que lo hayas enviado tú. Queda como nota en el ticket.',
    expired: () => 'Tu respuesta ha llegado más de 90 días después de nuestro correo. Queda como nota en el ticket.',
    off: () => 'Este sitio no acepta respuestas por correo.',
    unknown_command: (line) => `No conocemos esta orden: ${line}`,
    unclear_command: (line) => `No está claro qué significa esta orden: ${line}`,
    not_allowed: () => 'No tienes permiso para esto, o ahora no es posible con este ticket.',
    merged: () => 'El ticket al que has respondido se ha fusionado con uno de otro cliente.',
    unclear_quote: () => 'No hemos podido distinguir tus palabras del texto citado, que el cliente no debe ver.',
    too_long: () => 'Tu respuesta tiene más de 10.000 caracteres.',
    no_words: () => 'Tu respuesta no tiene texto propio.',
    refused_files: () => 'Al menos un archivo no se ha aceptado.',
  },
  becauseOfTicket: 'Enviado por Helpdesk porque este ticket te concierne.',
  becauseOfTickets: 'Enviado por Helpdesk porque eres responsable de estos tickets.',
  mentionedSubject: 'Te han mencionado: ',
  mentioned: (by) => `${by} te ha mencionado:`,
  digestSubject: (count, site) => `${count} ${count === 1 ? 'notificación' : 'notificaciones'} (${site})`,
  openNotifications: 'Abrir tus notificaciones',
  alarms: {
    mail_held: 'Hay correo retenido',
    backup_failed: 'Una copia de seguridad ha fallado',
    disk_low: 'El disco está casi lleno',
  },
  choose: 'Elegir de qué te enteras',
  becauseOfNotifications: 'Enviado por Helpdesk porque no has leído estas notificaciones.',
};

export const agentWords: Readonly<Record<Locale, AgentWords>> = { en, nl, de, fr, es };

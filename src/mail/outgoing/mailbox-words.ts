// What the desk tells the owners of a mailbox when something is wrong with it, in each language. Reasons are those of servers, in English.

import { alarmTitles, type MailboxAlarm } from '../../domain/mail/mailbox-alarms.ts';
import type { Locale } from '../../domain/people/preferences.ts';

interface MailboxWords {
  titles: Record<MailboxAlarm, string>;
  unread(mailbox: string): string;
  canary(mailbox: string): string;
  quiet(mailbox: string): string;
  missing(mailbox: string): string;
  ends(mailbox: string): string;
  mailbox(address: string, site: string): string;
  aDesk: string;
  reason: string;
  kept: string;
  toLook: string;
  whenChanged: string;
  footer: string;
}

export const mailboxWords: Readonly<Record<Locale, MailboxWords>> = {
  en: {
    titles: alarmTitles,
    unread: (mailbox) => `Helpdesk cannot read ${mailbox}.`,
    canary: (mailbox) => `Mail that Helpdesk sends to ${mailbox} does not come back.`,
    quiet: (mailbox) => `Less mail than usual comes to ${mailbox}.`,
    missing: (mailbox) => `Helpdesk found mail in ${mailbox} that it had missed.`,
    ends: (mailbox) => `What ${mailbox} needs ends, and then it stops working.`,
    mailbox: (address, site) => `the mailbox ${address} of ${site}`,
    aDesk: 'the support desk',
    reason: 'Reason:',
    kept: 'No mail is lost: it stays in the mailbox, and Helpdesk goes on where it stopped.',
    toLook: 'To look into it, run',
    whenChanged: 'When you have changed it, run',
    footer: 'Sent by Helpdesk to the owners of this desk.',
  },
  nl: {
    titles: {
      failing: 'Mailbox niet gelezen',
      refused: 'Mailbox niet gelezen',
      consent_needed: 'Mailbox niet gelezen',
      canary: 'E-mail komt niet terug',
      missing_mail: 'Er ontbrak e-mail',
      quiet: 'Lang geen e-mail',
      incoming_certificate: 'Certificaat verloopt',
      outgoing_certificate: 'Certificaat verloopt',
      client_secret: 'Geheim verloopt',
      consent: 'Toestemming verloopt',
    },
    unread: (mailbox) => `Helpdesk kan ${mailbox} niet lezen.`,
    canary: (mailbox) => `E-mail die Helpdesk aan ${mailbox} stuurt, komt niet terug.`,
    quiet: (mailbox) => `Er komt minder e-mail dan anders in ${mailbox}.`,
    missing: (mailbox) => `Helpdesk vond in ${mailbox} e-mail die het had gemist.`,
    ends: (mailbox) => `Iets wat nodig is voor ${mailbox} verloopt, en dan werkt die niet meer.`,
    mailbox: (address, site) => `de mailbox ${address} van ${site}`,
    aDesk: 'de helpdesk',
    reason: 'Reden:',
    kept: 'Er gaat geen e-mail verloren: die blijft in de mailbox, en Helpdesk gaat verder waar het stopte.',
    toLook: 'Om het te bekijken, voer uit',
    whenChanged: 'Als je het hebt gewijzigd, voer uit',
    footer: 'Verstuurd door Helpdesk aan de eigenaars van deze desk.',
  },
  de: {
    titles: {
      failing: 'Postfach nicht gelesen',
      refused: 'Postfach nicht gelesen',
      consent_needed: 'Postfach nicht gelesen',
      canary: 'Mails kommen nicht zurück',
      missing_mail: 'Mails haben gefehlt',
      quiet: 'Lange keine Mail',
      incoming_certificate: 'Zertifikat endet',
      outgoing_certificate: 'Zertifikat endet',
      client_secret: 'Geheimnis endet',
      consent: 'Zustimmung endet',
    },
    unread: (mailbox) => `Helpdesk kann ${mailbox} nicht lesen.`,
    canary: (mailbox) => `Mails, die Helpdesk an ${mailbox} sendet, kommen nicht zurück.`,
    quiet: (mailbox) => `Es kommt weniger Mail als sonst an ${mailbox}.`,
    missing: (mailbox) => `Im Postfach lag Mail, die Helpdesk entgangen war: ${mailbox}.`,
    ends: (mailbox) => `Etwas endet, ohne das ${mailbox} nicht mehr funktioniert.`,
    mailbox: (address, site) => `das Postfach ${address} von ${site}`,
    aDesk: 'dem Helpdesk',
    reason: 'Grund:',
    kept: 'Keine Mail geht verloren: Sie bleibt im Postfach, und Helpdesk macht dort weiter, wo es aufgehört hat.',
    toLook: 'Um nachzusehen, führen Sie aus',
    whenChanged: 'Wenn Sie es geändert haben, führen Sie aus',
    footer: 'Von Helpdesk an die Inhaber dieses Desks gesendet.',
  },
  fr: {
    titles: {
      failing: 'Boîte e-mail non lue',
      refused: 'Boîte e-mail non lue',
      consent_needed: 'Boîte e-mail non lue',
      canary: 'Les e-mails ne reviennent pas',
      missing_mail: 'Des e-mails manquaient',
      quiet: 'Pas d’e-mail depuis longtemps',
      incoming_certificate: 'Le certificat expire',
      outgoing_certificate: 'Le certificat expire',
      client_secret: 'Le secret expire',
      consent: 'Le consentement expire',
    },
    unread: (mailbox) => `Helpdesk ne peut pas lire ${mailbox}.`,
    canary: (mailbox) => `Les e-mails que Helpdesk envoie à ${mailbox} ne reviennent pas.`,
    quiet: (mailbox) => `Il arrive moins d’e-mails que d’habitude dans ${mailbox}.`,
    missing: (mailbox) => `Helpdesk a trouvé dans ${mailbox} des e-mails qui lui avaient échappé.`,
    ends: (mailbox) => `Ce dont ${mailbox} a besoin expire ; ensuite elle ne fonctionnera plus.`,
    mailbox: (address, site) => `la boîte e-mail ${address} de ${site}`,
    aDesk: 'l’assistance',
    reason: 'Raison :',
    kept: 'Aucun e-mail n’est perdu : il reste dans la boîte, et Helpdesk reprend là où il s’est arrêté.',
    toLook: 'Pour vérifier, exécutez',
    whenChanged: 'Après la modification, exécutez',
    footer: 'Envoyé par Helpdesk aux propriétaires de ce desk.',
  },
  es: {
    titles: {
      failing: 'Buzón sin leer',
      refused: 'Buzón sin leer',
      consent_needed: 'Buzón sin leer',
      canary: 'El correo no vuelve',
      missing_mail: 'Faltaba correo',
      quiet: 'Mucho tiempo sin correo',
      incoming_certificate: 'El certificado caduca',
      outgoing_certificate: 'El certificado caduca',
      client_secret: 'El secreto caduca',
      consent: 'El consentimiento caduca',
    },
    unread: (mailbox) => `Helpdesk no puede leer ${mailbox}.`,
    canary: (mailbox) => `El correo que Helpdesk envía a ${mailbox} no vuelve.`,
    quiet: (mailbox) => `Llega menos correo de lo habitual a ${mailbox}.`,
    missing: (mailbox) => `Helpdesk encontró en ${mailbox} correo que se le había escapado.`,
    ends: (mailbox) => `Algo que necesita ${mailbox} caduca, y entonces dejará de funcionar.`,
    mailbox: (address, site) => `el buzón ${address} de ${site}`,
    aDesk: 'el servicio de asistencia',
    reason: 'Motivo:',
    kept: 'No se pierde ningún correo: se queda en el buzón, y Helpdesk sigue donde se detuvo.',
    toLook: 'Para revisarlo, ejecuta',
    whenChanged: 'Cuando lo hayas cambiado, ejecuta',
    footer: 'Enviado por Helpdesk a los propietarios de este desk.',
  },
};

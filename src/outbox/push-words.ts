// The words of pushes in each language.

import type { NotificationKind } from '../domain/notifications/notification.ts';
import type { Locale } from '../domain/people/preferences.ts';

interface PushWords {
  test: string;
  /** @param by null when it is not known, or is not to be said */
  news(kind: NotificationKind, by: string | null): string;
}

type Told = Record<NotificationKind, (by: string | null) => string>;

const said = (test: string, told: Told): PushWords => ({ test, news: (kind, by) => told[kind](by) });

export const pushWords: Record<Locale, PushWords> = {
  en: said('Notifications reach this device.', {
    assigned: (by) => (by === null ? 'Assigned to you' : `${by} assigned this to you`),
    team_assigned: (by) => (by === null ? 'A ticket for your team' : `${by} gave this to your team`),
    team_waiting: () => 'Your team’s ticket waits for someone',
    mentioned: (by) => (by === null ? 'You were mentioned' : `${by} mentioned you`),
    customer_replied: (by) => (by === null ? 'New message' : `New message from ${by}`),
    side_answered: (by) =>
      by === null ? 'New answer in a side conversation' : `${by} answered in a side conversation`,
    sla_warning: () => 'Due soon',
    sla_breached: () => 'Overdue',
    mail_held: () => 'Mail is held until someone decides',
    channel_disabled: () => 'A webhook channel was disabled',
    mailbox_alarm: () => 'A mailbox needs attention',
    backup_failed: () => 'The backup failed',
    disk_low: () => 'The disk is nearly full',
  }),
  nl: said('Meldingen komen op dit apparaat aan.', {
    assigned: (by) => (by === null ? 'Aan je toegewezen' : `${by} heeft dit aan je toegewezen`),
    team_assigned: (by) => (by === null ? 'Een ticket voor je team' : `${by} heeft dit aan je team gegeven`),
    team_waiting: () => 'Een ticket van je team wacht op iemand',
    mentioned: (by) => (by === null ? 'Je bent genoemd' : `${by} heeft je genoemd`),
    customer_replied: (by) => (by === null ? 'Nieuw bericht' : `Nieuw bericht van ${by}`),
    side_answered: (by) =>
      by === null ? 'Nieuw antwoord in een zijgesprek' : `${by} heeft in een zijgesprek geantwoord`,
    sla_warning: () => 'Bijna te laat',
    sla_breached: () => 'Te laat',
    mail_held: () => 'Er wordt mail vastgehouden tot iemand beslist',
    channel_disabled: () => 'Een webhookkanaal is uitgeschakeld',
    mailbox_alarm: () => 'Een mailbox heeft aandacht nodig',
    backup_failed: () => 'De back-up is mislukt',
    disk_low: () => 'De schijf is bijna vol',
  }),
  de: said('Benachrichtigungen kommen auf diesem Gerät an.', {
    assigned: (by) => (by === null ? 'Ihnen zugewiesen' : `${by} hat Ihnen das zugewiesen`),
    team_assigned: (by) => (by === null ? 'Ein Ticket für Ihr Team' : `${by} hat das Ihrem Team gegeben`),
    team_waiting: () => 'Ein Ticket Ihres Teams wartet auf jemanden',
    mentioned: (by) => (by === null ? 'Sie wurden erwähnt' : `${by} hat Sie erwähnt`),
    customer_replied: (by) => (by === null ? 'Neue Nachricht' : `Neue Nachricht von ${by}`),
    side_answered: (by) =>
      by === null ? 'Neue Antwort in einem Nebengespräch' : `${by} hat in einem Nebengespräch geantwortet`,
    sla_warning: () => 'Bald fällig',
    sla_breached: () => 'Überfällig',
    mail_held: () => 'Eine E-Mail wird zurückgehalten, bis jemand entscheidet',
    channel_disabled: () => 'Ein Webhook-Kanal wurde abgeschaltet',
    mailbox_alarm: () => 'Ein Postfach braucht Aufmerksamkeit',
    backup_failed: () => 'Die Sicherung ist fehlgeschlagen',
    disk_low: () => 'Die Festplatte ist fast voll',
  }),
  fr: said('Les notifications arrivent sur cet appareil.', {
    assigned: (by) => (by === null ? 'Ce ticket vous est attribué' : `${by} vous a attribué ce ticket`),
    team_assigned: (by) => (by === null ? 'Un ticket pour votre équipe' : `${by} l’a confié à votre équipe`),
    team_waiting: () => 'Un ticket de votre équipe attend quelqu’un',
    mentioned: (by) => (by === null ? 'Vous avez été mentionné' : `${by} vous a mentionné`),
    customer_replied: (by) => (by === null ? 'Nouveau message' : `Nouveau message de ${by}`),
    side_answered: (by) =>
      by === null ? 'Nouvelle réponse dans une conversation annexe' : `${by} a répondu dans une conversation annexe`,
    sla_warning: () => 'Échéance proche',
    sla_breached: () => 'En retard',
    mail_held: () => 'Un e-mail est retenu jusqu’à ce que quelqu’un décide',
    channel_disabled: () => 'Un canal webhook a été désactivé',
    mailbox_alarm: () => 'Une boîte aux lettres demande votre attention',
    backup_failed: () => 'La sauvegarde a échoué',
    disk_low: () => 'Le disque est presque plein',
  }),
  es: said('Las notificaciones llegan a este dispositivo.', {
    assigned: (by) => (by === null ? 'Asignado a ti' : `${by} te lo ha asignado`),
    team_assigned: (by) => (by === null ? 'Un ticket para tu equipo' : `${by} lo ha pasado a tu equipo`),
    team_waiting: () => 'Un ticket de tu equipo espera a alguien',
    mentioned: (by) => (by === null ? 'Te han mencionado' : `${by} te ha mencionado`),
    customer_replied: (by) => (by === null ? 'Mensaje nuevo' : `Mensaje nuevo de ${by}`),
    side_answered: (by) =>
      by === null ? 'Respuesta nueva en una conversación paralela' : `${by} ha respondido en una conversación paralela`,
    sla_warning: () => 'Vence pronto',
    sla_breached: () => 'Vencido',
    mail_held: () => 'Hay correo retenido hasta que alguien decida',
    channel_disabled: () => 'Se ha desactivado un canal de webhook',
    mailbox_alarm: () => 'Un buzón necesita atención',
    backup_failed: () => 'La copia de seguridad ha fallado',
    disk_low: () => 'El disco está casi lleno',
  }),
};

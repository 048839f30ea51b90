// What a mailed report says, in each language.

import type { Locale } from '../../domain/people/preferences.ts';
import type { MetricName, ReportTime } from '../../domain/reports/metrics.ts';

export interface ReportWords {
  metrics: Record<MetricName, string>;
  subject(name: string, period: string): string;
  about(period: string, time: ReportTime): string;
  measure: string;
  inPeriod: string;
  before: string;
  group: string;
  nothing: string;
  share(percent: string, hits: string, all: string): string;
  /** The median and the 90th percentile. */
  spread(median: string, p90: string): string;
  spreads: string;
  more(count: number): string;
  open: string;
  choose: string;
  because: string;
}

const en: ReportWords = {
  metrics: {
    created: 'Created',
    resolved: 'Resolved',
    reopened: 'Reopened later',
    reopenings: 'Reopened',
    backlog: 'Open at the end',
    first_response: 'First response',
    next_response: 'Next response',
    first_resolution: 'First resolution',
    resolution: 'Resolution',
    customer_wait: 'Customer’s wait',
    first_response_in_target: 'First response in target',
    resolution_in_target: 'Resolution in target',
    replies: 'Replies',
    replies_to_resolution: 'Replies to resolution',
    one_touch: 'Solved with one reply',
    satisfaction: 'Good ratings',
    satisfaction_answered: 'Answers to the question',
  },
  subject: (name, period) => `${name}: ${period}`,
  about: (period, time) => `${period}, durations in ${time === 'working' ? 'working time' : 'calendar time'}.`,
  measure: 'Number',
  inPeriod: 'This time',
  before: 'Before',
  group: 'Group',
  nothing: '(none)',
  share: (percent, hits, all) => `${percent} (${hits} of ${all})`,
  spread: (median, p90) => `${median} / ${p90}`,
  spreads: 'Durations are the median and the 90th percentile: one in ten took longer than that.',
  more: (count) => `And ${count} more.`,
  open: 'Open the report',
  choose: 'All saved reports',
  because: 'Sent by Helpdesk because this report is mailed to you.',
};

const nl: ReportWords = {
  metrics: {
    created: 'Aangemaakt',
    resolved: 'Opgelost',
    reopened: 'Later heropend',
    reopenings: 'Heropend',
    backlog: 'Open aan het eind',
    first_response: 'Eerste reactie',
    next_response: 'Volgende reactie',
    first_resolution: 'Eerste oplossing',
    resolution: 'Oplossing',
    customer_wait: 'Wachttijd van de klant',
    first_response_in_target: 'Eerste reactie op tijd',
    resolution_in_target: 'Oplossing op tijd',
    replies: 'Antwoorden',
    replies_to_resolution: 'Antwoorden tot oplossing',
    one_touch: 'Opgelost met één antwoord',
    satisfaction: 'Goede beoordelingen',
    satisfaction_answered: 'Antwoorden op de vraag',
  },
  subject: (name, period) => `${name}: ${period}`,
  about: (period, time) => `${period}, duur in ${time === 'working' ? 'werktijd' : 'kalendertijd'}.`,
  measure: 'Cijfer',
  inPeriod: 'Deze keer',
  before: 'Daarvoor',
  group: 'Groep',
  nothing: '(geen)',
  share: (percent, hits, all) => `${percent} (${hits} van ${all})`,
  spread: (median, p90) => `${median} / ${p90}`,
  spreads: 'Een duur is de mediaan en het 90e percentiel: één op de tien duurde langer.',
  more: (count) => `En nog ${count}.`,
  open: 'Rapport openen',
  choose: 'Alle bewaarde rapporten',
  because: 'Verstuurd door Helpdesk omdat dit rapport aan je wordt gemaild.',
};

const de: ReportWords = {
  metrics: {
    created: 'Erstellt',
    resolved: 'Gelöst',
    reopened: 'Später wieder geöffnet',
    reopenings: 'Wieder geöffnet',
    backlog: 'Am Ende offen',
    first_response: 'Erste Antwort',
    next_response: 'Nächste Antwort',
    first_resolution: 'Erste Lösung',
    resolution: 'Lösung',
    customer_wait: 'Wartezeit des Kunden',
    first_response_in_target: 'Erste Antwort im Ziel',
    resolution_in_target: 'Lösung im Ziel',
    replies: 'Antworten',
    replies_to_resolution: 'Antworten bis zur Lösung',
    one_touch: 'Mit einer Antwort gelöst',
    satisfaction: 'Gute Bewertungen',
    satisfaction_answered: 'Antworten auf die Frage',
  },
  subject: (name, period) => `${name}: ${period}`,
  about: (period, time) => `${period}, Dauern in ${time === 'working' ? 'Arbeitszeit' : 'Kalenderzeit'}.`,
  measure: 'Zahl',
  inPeriod: 'Diesmal',
  before: 'Davor',
  group: 'Gruppe',
  nothing: '(ohne)',
  share: (percent, hits, all) => `${percent} (${hits} von ${all})`,
  spread: (median, p90) => `${median} / ${p90}`,
  spreads: 'Dauern sind der Median und das 90. Perzentil: Bei einem von zehn hat es länger gedauert.',
  more: (count) => `Und ${count} weitere.`,
  open: 'Bericht öffnen',
  choose: 'Alle gespeicherten Berichte',
  because: 'Von Helpdesk gesendet, weil Sie diesen Bericht per Mail bekommen.',
};

const fr: ReportWords = {
  metrics: {
    created: 'Créés',
    resolved: 'Résolus',
    reopened: 'Rouverts ensuite',
    reopenings: 'Rouverts',
    backlog: 'Ouverts à la fin',
    first_response: 'Première réponse',
    next_response: 'Réponse suivante',
    first_resolution: 'Première résolution',
    resolution: 'Résolution',
    customer_wait: 'Attente du client',
    first_response_in_target: 'Première réponse dans les délais',
    resolution_in_target: 'Résolution dans les délais',
    replies: 'Réponses',
    replies_to_resolution: 'Réponses jusqu’à la résolution',
    one_touch: 'Résolus en une réponse',
    satisfaction: 'Bons avis',
    satisfaction_answered: 'Réponses à la question',
  },
  subject: (name, period) => `${name} : ${period}`,
  about: (period, time) => `${period}, durées en ${time === 'working' ? 'heures ouvrées' : 'temps réel'}.`,
  measure: 'Chiffre',
  inPeriod: 'Cette fois',
  before: 'Avant',
  group: 'Groupe',
  nothing: '(aucun)',
  share: (percent, hits, all) => `${percent} (${hits} sur ${all})`,
  spread: (median, p90) => `${median} / ${p90}`,
  spreads: 'Les durées sont la médiane et le 90e centile : une sur dix a été plus longue.',
  more: (count) => `Et ${count} de plus.`,
  open: 'Ouvrir le rapport',
  choose: 'Tous les rapports enregistrés',
  because: 'Envoyé par Helpdesk parce que vous recevez ce rapport par e-mail.',
};

const es: ReportWords = {
  metrics: {
    created: 'Creados',
    resolved: 'Resueltos',
    reopened: 'Reabiertos después',
    reopenings: 'Reabiertos',
    backlog: 'Abiertos al final',
    first_response: 'Primera respuesta',
    next_response: 'Respuesta siguiente',
    first_resolution: 'Primera resolución',
    resolution: 'Resolución',
    customer_wait: 'Espera del cliente',
    first_response_in_target: 'Primera respuesta en plazo',
    resolution_in_target: 'Resolución en plazo',
    replies: 'Respuestas',
    replies_to_resolution: 'Respuestas hasta la resolución',
    one_touch: 'Resueltos con una respuesta',
    satisfaction: 'Valoraciones buenas',
    satisfaction_answered: 'Respuestas a la pregunta',
  },
  subject: (name, period) => `${name}: ${period}`,
  about: (period, time) => `${period}, duraciones en ${time === 'working' ? 'horas laborables' : 'tiempo real'}.`,
  measure: 'Dato',
  inPeriod: 'Esta vez',
  before: 'Antes',
  group: 'Grupo',
  nothing: '(ninguno)',
  share: (percent, hits, all) => `${percent} (${hits} de ${all})`,
  spread: (median, p90) => `${median} / ${p90}`,
  spreads: 'Las duraciones son la mediana y el percentil 90: una de cada diez fue más larga.',
  more: (count) => `Y ${count} más.`,
  open: 'Abrir el informe',
  choose: 'Todos los informes guardados',
  because: 'Enviado por Helpdesk porque recibes este informe por correo.',
};

export const reportWords: Record<Locale, ReportWords> = { en, nl, de, fr, es };

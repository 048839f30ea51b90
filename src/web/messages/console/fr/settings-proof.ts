// The messages of the settings that prove mail, in French.

import type { ProofMessages } from '../en/settings-proof.ts';

export const messages: ProofMessages = {
  // Mail in DNS
  mailInDns: 'E-mail dans le DNS',
  mailInDnsLead:
    'Les destinataires font confiance aux e-mails dont le domaine nomme ses serveurs (SPF), publie la clé de sa signature (DKIM) et dit que faire du reste (DMARC).',
  checkAll: 'Tout vérifier',
  checkNow: 'Vérifier',
  checkSender: (address: string) => `Vérifier ${address}`,
  defaultSender: 'Expéditeur par défaut',
  notChecked: 'Pas encore vérifié.',
  recordAligned: 'En ordre',
  recordMissing: 'Manque',
  recordWrong: 'Non aligné',
  recordUnknown: 'Pas certain',
  recordFound: 'Dans le DNS :',
  recordToAdd: 'Ajoutez cet enregistrement chez le fournisseur de votre domaine :',
  recordToChange: 'Remplacez-le par celui-ci chez le fournisseur de votre domaine :',
  recordName: 'Nom',
  recordType: 'Type',
  recordValue: 'Valeur',
  valueFromServer: 'telle que la montre votre serveur ou fournisseur d’e-mail',
  copyPart: (part: string, value: string) => `Copier ${part} : ${value}`,
  partCopied: (part: string) => `${part} : copié.`,
  dnsSilent: 'Le DNS n’a pas répondu. Vérifiez plus tard.',
  severalRecords: 'Il y a plusieurs enregistrements de ce type, donc aucun ne compte. Réunissez-les en un seul.',
  spfMissing: 'Aucun enregistrement ne dit quels serveurs envoient les e-mails de ce domaine.',
  spfNamesNone: 'L’enregistrement ne nomme aucun serveur qui envoie les e-mails de ce domaine.',
  spfBroken:
    'Les destinataires ignorent l’enregistrement : il contient une erreur ou renvoie à plus de dix autres. Raccourcissez-le ou corrigez-le.',
  spfCovers: (server: string) => `Les e-mails sont alignés : l’enregistrement autorise ${server}, par où ils partent.`,
  spfUnjudged:
    'Il y a un enregistrement. Assurez-vous qu’il nomme votre serveur d’e-mail, dont le desk ne connaît pas l’adresse publique.',
  spfLacksProvider: (provider: string) =>
    `Les e-mails ne sont pas alignés : ils partent par ${provider}, que l’enregistrement n’autorise pas.`,
  spfLacksServer: (server: string) =>
    `L’enregistrement n’autorise pas ${server}. Si ce serveur confie les e-mails à d’autres, ce sont eux qui comptent. Sinon, ils ne sont pas alignés.`,
  dkimKey: (name: string) => `Il y a une clé à ${name}. Les e-mails signés avec elle sont alignés.`,
  dkimOfProvider: 'Les e-mails sont alignés : le fournisseur signe ceux de son propre domaine.',
  dkimRevoked: (name: string) => `La clé à ${name} est révoquée : elle est vide.`,
  dkimMissing:
    'Les sélecteurs de cet expéditeur n’ont pas de clé. Votre serveur, qui signe les e-mails, montre l’enregistrement.',
  dkimOff: (provider: string) =>
    `Les e-mails ne sont pas alignés : ${provider} ne signe pas encore avec ce domaine. Activez-y DKIM ; l’enregistrement y est affiché.`,
  dkimNotFound:
    'Aucune clé n’a un des noms habituels. Indiquez le sélecteur de votre serveur sur la page de l’expéditeur.',
  dmarcMissing:
    'Aucun enregistrement ne dit ce que les destinataires font des e-mails non alignés. Les grands fournisseurs en demandent un.',
  dmarcPasses: (policy: string) => `Les e-mails passent. La politique est « ${policy} ».`,
  dmarcUnsure: (policy: string) =>
    `La politique est « ${policy} ». Que les e-mails passent dépend de SPF et DKIM ci-dessus.`,
  dmarcFails: (policy: string) =>
    `Les e-mails ne passent pas : ni SPF ni DKIM n’est aligné. Avec la politique « ${policy} », ils sont refusés ou finissent dans le spam.`,
  dmarcFailsMildly:
    'Les e-mails ne passent pas : ni SPF ni DKIM n’est aligné. La politique « none » les laisse passer, mais beaucoup de destinataires les prennent pour du spam.',

  // Mail trace
  mailTrace: 'Suivi des e-mails',
  mailTraceLead: 'Où est cet e-mail ? Chaque étape de chaque e-mail arrivé ou parti.',
  traceWhat: 'Adresse, Message-ID ou objet',
  traceHint: 'Une partie suffit : mia@example.org, example.org ou sonnette cassée.',
  traceTooShort: 'Saisissez au moins trois caractères.',
  traceFind: 'Chercher',
  traceNothing: 'Aucun e-mail trouvé',
  traceNothingText:
    'Le desk ne l’a ni reçu ni envoyé. Les mots sont cherchés parmi les 5 000 e-mails les plus récents dans chaque sens.',
  traceFound: (shown: string, value: number) => (value === 1 ? '1 e-mail' : `${shown} e-mails`),
  traceIsCut: 'Seuls les 50 plus récents sont affichés. Précisez la recherche.',
  cameFrom: (address: string) => `de ${address}`,
  wentTo: (address: string) => `à ${address}`,
  toTicket: 'Ouvrir le ticket',
  stepSeen: 'Vu dans la boîte',
  stepStored: 'Enregistré',
  stepSenderChecked: 'Expéditeur vérifié',
  stepWaiting: 'En attente',
  stepFiled: 'Classé',
  stepNotFiled: 'Non classé',
  stepForwarded: 'Transféré',
  stepSettled: 'Traité dans la boîte',
  stepQueued: 'Dans la boîte d’envoi',
  stepRefused: 'Non accepté',
  stepAccepted: 'Accepté par le serveur',
  stepFailed: 'Abandonné',
  stepBounced: 'Revenu',

  // Watch over a mailbox
  watch: 'Surveillance',
  alarmSince: (when: string) => `depuis le ${when}`,
  alarmFailing: 'Elle ne peut pas être lue.',
  alarmRefused: 'Le mot de passe est refusé.',
  alarmConsent: 'Le fournisseur ne donne pas accès.',
  alarmCanary: 'Les e-mails ne reviennent pas.',
  alarmMissing: 'Des e-mails manquaient.',
  alarmQuiet: 'C’est plus calme que d’habitude.',
  alarmCertificateIn: 'Le certificat de lecture expire.',
  alarmCertificateOut: 'Le certificat d’envoi expire.',
  alarmSecret: 'Le secret de l’application d’e-mail expire.',
  alarmConsentEnds: 'Le consentement chez le fournisseur expire.',
  canary: 'Canari',
  canaryHint:
    'Toutes les dix minutes, le desk envoie un petit e-mail de cette boîte à elle-même et le supprime à son retour. S’il n’est pas là après 15 minutes, les propriétaires en sont informés.',
  canaryOn: 'Le canari est activé.',
  canaryOff: 'Le canari est désactivé.',
  canaryBack: (took: string, when: string) => `Le dernier a mis ${took} et est revenu le ${when}.`,
  canaryNoneYet: 'Aucun n’est encore revenu.',
  canaryGraph: (shown: string, slowest: string, lost: string) =>
    `Les ${shown} derniers. Le plus lent a mis ${slowest} ; non revenus : ${lost}.`,
  dailyCount: 'Décompte quotidien',
  notCountedYet:
    'Pas encore compté. Une fois par jour, le desk compare les sept derniers jours du dossier avec ce qu’il a.',
  countedAll: (messages: string, when: string) =>
    `Rien ne manque. Messages des sept derniers jours : ${messages}, comptés le ${when}.`,
  countedMissing: (messages: string, missing: string, when: string) =>
    `Messages des sept derniers jours : ${messages}. Manquants, récupérés alors : ${missing}. Comptés le ${when}.`,
  quietHint:
    'Si rien n’arrive pendant bien plus longtemps que d’habitude à une heure de la semaine, les propriétaires en sont aussi informés, après quatre semaines d’e-mails.',
  expiries: 'Ce qui expire',
  endsCertificateIn: 'Certificat de lecture',
  endsCertificateOut: 'Certificat d’envoi',
  endsSecret: 'Secret de l’application d’e-mail',
  endsConsent: 'Consentement chez le fournisseur',
  endsInDays: (shown: string, date: string, days: number) =>
    days === 1 ? `dans 1 jour, le ${date}` : `dans ${shown} jours, le ${date}`,
  hasEnded: (date: string) => `expiré le ${date}`,
  whoHears: 'Qui est informé des alarmes',
  ownersHear:
    'Chaque propriétaire, par e-mail via le serveur du desk ou, sans lui, via une autre boîte. Un canal est la voie qui se passe d’e-mail.',
  noChannels: 'Ce site n’a pas encore de canal (helpdesk channel add … --events mailbox.alarm).',
  alarmsTo: (channel: string) => `Alarmes vers « ${channel} »`,
  onlyEvent: 'C’est le seul événement de ce canal. Supprimez plutôt le canal.',
  channelIsOff: 'Le canal est désactivé.',
  alarmsGoTo: (channel: string) => `Les alarmes vont vers « ${channel} ».`,
  alarmsNoLongerGoTo: (channel: string) => `Les alarmes ne vont plus vers « ${channel} ».`,

  // Spam filter
  spamFilter: 'Filtre antispam',
  spamFilterLead: 'Avec rspamd, les e-mails qui arrivent ont un score avant d’être classés.',
  spamThresholds: 'À partir de quel score',
  holdFrom: 'Retenir à partir d’un score de',
  holdHint: 'Il attend parmi les e-mails retenus que quelqu’un regarde. Vide : jamais.',
  markFrom: 'Marquer comme spam à partir d’un score de',
  markHint: 'Seulement les tickets d’expéditeurs prouvés ; les autres e-mails sont retenus. Vide : jamais.',
  scoreRefused: 'Saisissez un nombre de 0 à 1 000, ou rien.',
  nothingIsHeld: 'Aucun e-mail n’est retenu ni marqué à cause de son score.',
  heldFrom: (hold: string) => `Les e-mails à partir de ${hold} sont retenus. Rien n’est marqué comme spam.`,
  markedFrom: (mark: string) =>
    `Les e-mails à partir de ${mark} deviennent des tickets marqués comme spam, ou sont retenus si leur expéditeur n’est pas prouvé.`,
  heldAndMarkedFrom: (hold: string, mark: string) =>
    `Les e-mails à partir de ${hold} sont retenus. À partir de ${mark}, ils deviennent des tickets marqués comme spam si leur expéditeur est prouvé.`,
  spamSaved: 'Les scores ont été modifiés.',
  testFilter: 'Tester',
  filterAsking: 'Le filtre est interrogé…',
  filterUnset: 'Aucun filtre n’est configuré, les e-mails n’ont donc pas de score. L’exploitant démarre le desk avec :',
  filterAnswers: (milliseconds: string, score: string) =>
    `rspamd répond : il a mis ${milliseconds} ms et donne un score de ${score} à un message de test inoffensif.`,
  filterDown: 'rspamd ne répond pas. D’ici là, les e-mails sont classés sans score.',
};

// The messages about inbound mail, in French.

import type { SettingsInboundMessages } from '../en/settings-inbound.ts';

export const messages: SettingsInboundMessages = {
  inboundMail: 'E-mails entrants',
  inboundMailLead:
    'Les e-mails qui arrivent par un fournisseur ou votre serveur deviennent des tickets et des réponses de ce site.',
  waysOfMail: 'Façons de recevoir des e-mails',
  youHave: 'Vous avez',
  useThis: 'Utilisez',
  haveMailbox:
    'Une adresse chez Google, Microsoft 365, un hébergeur ou sur votre serveur : rien ne change chez le fournisseur.',
  haveDomain: 'Un domaine à part pour l’assistance, ou beaucoup d’e-mails : chaque e-mail est transmis aussitôt.',
  haveServer: 'Postfix ou Exim sur la même machine : ni mot de passe ni attente.',
  fromProvider: 'Un fournisseur',
  fromProviderLead: 'Le fournisseur reçoit les e-mails de votre domaine et les transmet au desk.',
  byPipe: 'Un tube depuis votre serveur d’e-mail',
  pipeLead:
    'Le serveur exécute cette commande pour chaque message, en tant que propriétaire du répertoire de données. Le code 75 demande de réessayer plus tard.',
  siteAddress: 'Adresse de ce site',
  copySiteAddress: 'Copier l’adresse',
  siteAddressCopied: 'L’adresse a été copiée.',
  mailToTest: 'Pour tester, envoyez-y un e-mail depuis votre messagerie. Il apparaît ici en quelques secondes.',
  addressUnreachable:
    'Aucun e-mail de l’extérieur n’atteint cette adresse : le desk n’a pas encore de domaine d’e-mail.',
  noMailArrived: 'Aucun e-mail n’est encore arrivé.',
  lastMailCame: (when) => `Le dernier e-mail est arrivé ${when}.`,
  outcomeTicket: 'Il est devenu un ticket.',
  outcomeReply: 'Il a été ajouté à un ticket.',
  outcomeHeld: 'Il attend une décision parmi les e-mails retenus.',
  outcomeFailed: 'Il n’a pas pu être classé.',
  outcomeWaits: 'Le desk est en train de le classer.',
  outcomeOther: 'Il ne demandait pas de ticket.',
  provider: 'Fournisseur',
  anyServer: 'Un autre serveur (message brut)',
  postmarkStep1: 'Dans Postmark, ouvrez le serveur, puis son flux entrant et Settings.',
  postmarkStep2:
    'Saisissez l’URL ci-dessous comme webhook entrant et activez Raw email content, pour que le desk vérifie l’expéditeur.',
  postmarkStep3:
    'Ajoutez pour votre domaine un enregistrement MX vers inbound.postmarkapp.com et saisissez-y le domaine.',
  mailgunStep1: 'Dans Mailgun, ajoutez votre domaine avec ses enregistrements MX et ouvrez Receiving.',
  mailgunStep2: 'Créez une route pour l’adresse de ce site.',
  mailgunStep3:
    'Comme action, transférez vers l’URL ci-dessous. Elle finit par mime, pour que Mailgun envoie le message entier.',
  sendgridStep1: 'Dans SendGrid, ouvrez Settings puis Inbound Parse, et ajoutez un hôte et une URL.',
  sendgridStep2: 'Saisissez l’URL ci-dessous et cochez l’envoi du message MIME brut et complet.',
  sendgridStep3: 'Ajoutez pour l’hôte un enregistrement MX vers mx.sendgrid.net.',
  sesStep1:
    'Dans Amazon SES, créez pour l’adresse une règle de réception qui publie vers un sujet SNS, avec le message en Base64.',
  sesStep2: (command) => `Indiquez au desk l’ARN du sujet, pour qu’il confirme l’abonnement : ${command}`,
  sesStep3: 'Abonnez l’URL ci-dessous au sujet, avec le protocole HTTPS. SNS transmet des e-mails jusqu’à 150 Ko.',
  cloudflareStep1:
    'Dans Cloudflare, activez Email Routing pour le domaine et créez un email worker avec le code ci-dessous.',
  cloudflareStep2: 'Ajoutez l’URL ci-dessous au worker comme secret INBOUND_URL.',
  cloudflareStep3: 'Dirigez l’adresse vers le worker.',
  rawStep1: 'Envoyez chaque message tel quel par POST à l’URL ci-dessous, avec Content-Type message/rfc822.',
  rawStep2: 'Mettez l’enveloppe dans les en-têtes X-Envelope-From et X-Envelope-To.',
  forwardHere: (address) => `Les e-mails à ${address} deviennent alors des tickets de ce site.`,
  urlIsSecret:
    'L’URL est un secret : qui l’a peut envoyer des e-mails au nom de n’importe qui. Vous confirmez votre identité, et le journal d’audit le note.',
  showUrl: 'Afficher l’URL',
  hideUrl: 'Masquer l’URL',
  copyUrl: 'Copier l’URL',
  urlCopied: 'L’URL a été copiée.',
  rotateUrl: 'Remplacer l’URL',
  rotateUrlTitle: 'Remplacer l’URL des e-mails entrants ?',
  rotateUrlText:
    'Il y aura une nouvelle URL. Saisissez-la chez le fournisseur tant que l’ancienne fonctionne : un e-mail vers une URL périmée est refusé.',
  oldUrlWorks: 'L’ancienne URL fonctionne encore',

  trustedServers: 'Serveurs de confiance',
  trustedServersLead:
    'Seulement pour le courrier qu’un de vos serveurs vérifie avant le desk. En cas de doute, laissez ces champs vides.',
  trustedServersSaved: 'Les serveurs de confiance ont été enregistrés.',
  trustedMailServers: 'Serveurs qui vérifient les expéditeurs',
  trustedMailServersHint: 'Leurs noms dans Authentication-Results, un par ligne, comme mx.example.org.',
  trustedArcSealers: 'Relais qui scellent avec ARC',
  trustedArcSealersHint: 'Leurs domaines, un par ligne, comme lists.example.org.',
  sesTopics: 'Sujets d’Amazon SES',
  sesTopicsHint: 'L’ARN de chaque sujet SNS qui peut livrer, un par ligne.',
  sesTopicRefused: 'Chaque ligne doit être l’ARN d’un sujet SNS, comme arn:aws:sns:eu-west-1:123456789012:mail.',
  serverNameRefused: 'Chaque ligne doit être le nom d’un serveur ou d’un domaine, 20 au plus.',
};

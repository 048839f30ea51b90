// The messages of the first steps, in French.

import type { FirstStepsMessages } from '../en/first-steps.ts';

export const messages: FirstStepsMessages = {
  firstStepsLead:
    'D’un nouveau desk à votre premier ticket. Chaque étape après la première peut être ignorée, puis rouverte.',
  stepsDone: (done, all) => `${done} étapes sur ${all} terminées`,
  stepsAllDone: 'Il ne reste rien à faire ici. Les tickets sont dans la boîte de réception.',
  stepsLeftOut: (done, skipped, all) =>
    `Étapes terminées : ${done} sur ${all}, ignorées : ${skipped}. Une étape ignorée peut être rouverte.`,
  stepSite: 'Nommer le desk et le premier site',
  stepAddress: 'Lui donner une adresse e-mail',
  stepTest: 'Envoyer et recevoir un e-mail de test',
  stepTeam: 'Inviter votre équipe',
  stepConnect: 'Connecter votre application',
  stepDone: 'Terminé',
  stepSkipped: 'Ignoré',
  stepAgain: 'Afficher de nouveau',
  stepShow: 'Afficher',
  continueSteps: 'Continuer',
  stepAction: (action, title) => `${action} : ${title}`,
  skipStep: 'Ignorer',
  stepSiteLead:
    'Un ticket appartient à un site : une boutique, une application ou une marque, avec son adresse et son apparence. Vous pourrez en ajouter d’autres.',
  stepsDeskName: 'Nom du desk',
  stepsDeskNameHint: 'Votre équipe le voit.',
  siteName: 'Nom du site',
  stepsSiteNameHint: 'Les clients le voient dans les e-mails et sur leurs pages.',
  siteNameExample: 'Boutique en ligne',
  makeSite: 'Créer le site',
  siteIsMade: (name) => `Votre premier site est ${name}.`,
  siteWasMade: (name) => `${name} a été créé.`,
  stepAddressLead:
    'Les clients écrivent à une adresse, et leurs e-mails deviennent des tickets. Choisissez comment ils arrivent :',
  byMailbox: 'Connecter une boîte aux lettres',
  byMailboxText:
    'Vous en avez déjà une chez Google, Microsoft ou ailleurs. Le desk la lit et répond depuis son adresse.',
  byProvider: 'Utiliser un fournisseur d’e-mail',
  byProviderText:
    'Votre fournisseur transmet les e-mails au desk par un appel web. Pour votre propre domaine et un grand volume.',
  testIn: 'Vers le desk',
  writeTo: 'Depuis votre messagerie, écrivez à',
  noAddressYet: 'Pas encore d’adresse : le desk n’a ni boîte aux lettres ni domaine d’e-mail. Commencez par l’étape 2.',
  waitingForMail: 'En attente du premier e-mail…',
  mailArrived: (from, when) => `Le dernier e-mail est venu de ${from}, ${when}.`,
  toTheTicket: 'Ouvrir le ticket',
  testOut: 'Depuis le desk',
  testOutLead: 'Le desk vous envoie un exemple de ce que reçoivent les clients.',
  sendTestMail: 'M’envoyer un e-mail de test',
  mailLeaves: (to) => `En route vers ${to}…`,
  mailLeft: (to) => `Le serveur a accepté l’e-mail pour ${to}. Regardez dans votre messagerie.`,
  mailDidNotLeave: (reason) => `L’e-mail n’est pas parti : ${reason}`,
  stepTeamLead: 'Chacun reçoit un lien valable sept jours et choisit son mot de passe.',
  colleagueEmail: 'Adresse e-mail',
  colleagueRole: 'Rôle',
  stepsInvite: 'Inviter',
  invitationMailed: (address) => `L’invitation pour ${address} est en route.`,
  passLinkOn: (name) =>
    `Aucun serveur d’e-mail n’est configuré : transmettez ce lien à ${name}. Il n’est affiché qu’une fois.`,
  copyInvitation: 'Copier le lien',
  invitationCopied: 'Le lien a été copié.',
  stepConnectLead:
    'Votre serveur ouvre des tickets en un appel. Celui-ci ouvre un ticket de test, qui n’envoie aucun e-mail.',
  tokenShownOnce:
    'Le jeton du site est dans l’appel. Il n’est affiché que maintenant : gardez-le dans les réglages de votre serveur.',
  tokenIsGone: 'Le jeton du site a été affiché à la création du site.',
  callCopied: 'L’appel a été copié.',
  waitingForTicket: 'En attente du premier ticket de votre application…',
  openTestTicket: 'Ou ouvrir un ticket de test ici',
  ticketArrived: (subject) => `Arrivé : ${subject}.`,
};

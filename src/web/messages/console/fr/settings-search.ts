// The search in the settings: other words for each section, separated by commas, in French.

import type { Search } from '../en/settings-search.ts';

export const messages: Search = {
  findSetting: 'Rechercher un réglage',
  noSettingFound: 'Aucun réglage trouvé. Essayez un autre mot.',

  wordsGeneral:
    'nom, identifiant, langue, fermeture automatique, rouvrir, pièces jointes, types de fichiers, réponses par e-mail, réponse automatique, antivirus, taille des fichiers, fermer les tickets',
  wordsMailboxes: 'IMAP, SMTP, Gmail, Outlook, Microsoft 365, compte e-mail, mot de passe, connecter',
  wordsMailDns: 'SPF, DKIM, DMARC, DNS, enregistrements, arrivé en spam',
  wordsSpam: 'rspamd, indésirables, score, retenir le courrier, pourriel',
  wordsSenders: 'bloquer, liste noire, autoriser, liste blanche, domaine',
  wordsFirstSteps: 'installation, démarrer, créer un site, e-mail de test',
  wordsPeople:
    'agents, utilisateurs, collègues, équipe, inviter, rôles, propriétaire, administrateur, membres, droits, supprimer un compte',
  wordsTeams: 'groupes, services, membres, tour de rôle, attribution',
  wordsTokens: 'API, clé d’API, accès, droits, programme, clé API',
  wordsAddresses: 'URL, lien, domaine, adresse de réponse, entrée, hôte',
  wordsBucket: 'S3, stockage d’objets, pièces jointes, disque, MinIO',
  wordsMailServer: 'SMTP, envoi, invitations, adresse d’expéditeur',
  wordsMailApps: 'OAuth, Google, Microsoft, identifiant client, secret client',
  wordsMailTrace: 'e-mail perdu, Message-ID, livraison, où est mon e-mail, non distribué, retour, rebond',
  wordsWorkingHours:
    'horaires de bureau, heures d’ouverture, semaine, jours fériés, fuseau horaire, calendrier, horaires de travail, jours ouvrés',
  wordsWebhooks: 'intégrations, événements, livraisons, signature, HTTP',
  wordsSignIn:
    'second facteur, 2FA, mot de passe, OpenID, authentification unique, SSO, nom du desk, rapports sur les agents',
  wordsNotices: 'notifications, heures calmes, push, son, résumé par e-mail, valeurs par défaut, cloche',
  wordsAudit: 'historique, qui a changé quoi, CSV, sécurité, journal',
  wordsCategories: 'sujets, types de tickets, trier',
  wordsPriorities: 'urgent, importance, ordre',
  wordsMacros: 'réponses types, modèles, blocs de texte, emplacements',
  wordsFields: 'champs personnalisés, numéro de commande, formulaire, obligatoire',
  wordsRules: 'automatisation, filtre, transférer, rejeter, attribuer automatiquement, ordre, essayer',
  wordsTriggers:
    'automatisation, escalade, événements, processus, workflow, attribuer automatiquement, réponse automatique, escalader',
  wordsTimedRules:
    'automatisation, escalade, relance, rappel, fermer automatiquement, attente trop longue, planification, temps écoulé, escalader, fermer les tickets',
  wordsRecurring:
    'automatisation, planification, horaire, cron, chaque semaine, chaque mois, répéter, liste de contrôle, maintenance',
  wordsSla: 'objectifs, première réponse, résolution, échéance, retard, délai',
  wordsInbound: 'Mailgun, Postmark, SendGrid, SES, pipe, fournisseur, adresse entrante',
  wordsCustomersPages:
    'marque, logo, couleur, formulaire, portail, liens, intégrer, thème, formulaire de contact, widget, centre d’aide',
  wordsSignatures: 'expéditeurs, adresse d’expédition, adresse de réponse, nom, pied de page',
  wordsTemplates:
    'accusé de réception, e-mails automatiques, textes, confirmation, répondeur, réponse automatique, pied de page, enquête de satisfaction',
  wordsSystem:
    'santé, doctor, sauvegarde, restauration, stockage, disque, outbox, version, cluster, environnement, antivirus, file d’attente, journaux, mise à jour',
  wordsEnvironment: 'réglages de l’environnement, variables, HELPDESK_, configuration',
  wordsSettingsFile: 'export, import, YAML, fichier, copie, gestion de versions, Git',
  wordsDanger: 'supprimer le site, renouveler, jeton du site, secret, retirer le site, effacer le site',
  wordsSites: 'créer un site, nouvelle boutique, marque, ajouter un site',
};

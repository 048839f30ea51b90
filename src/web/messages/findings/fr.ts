// What the doctor finds, in French.

import type { FindingCode } from '../../../domain/findings.ts';

export const findings: Record<FindingCode, string> = {
  setting_invalid: 'Un réglage n’est pas valide',
  base_url_unset: 'Aucune adresse du desk n’est définie ; les liens contiennent donc celle sur laquelle il écoute',
  base_url_insecure: 'L’adresse du desk utilise http sans chiffrement ; les jetons traversent le réseau en clair',
  mail_server_unset:
    'Aucun serveur d’e-mail n’est configuré ; les e-mails qui ne partent par aucune boîte ne sont qu’écrits dans des fichiers',
  commits_not_synced:
    'HELPDESK_SYNCHRONOUS est inférieur à FULL ; une coupure de courant peut perdre des écritures déjà confirmées',
  scanner_down: 'L’antivirus de HELPDESK_CLAMAV ne répond pas ; les fichiers ne sont pas contrôlés',
  spam_filter_down: 'Le filtre antispam de HELPDESK_RSPAMD_URL ne répond pas ; les e-mails sont classés sans sa note',
  directory_open: 'D’autres utilisateurs peuvent lire le répertoire des données',
  key_open: 'D’autres utilisateurs peuvent lire secret.key',
  file_open: 'D’autres utilisateurs peuvent lire la base de données ou des fichiers conservés',
  foreign_owner: 'Des fichiers appartiennent à un autre utilisateur ou sont illisibles',
  file_misplaced:
    'Là où le desk garde un fichier ou un répertoire se trouve autre chose, ou le desk ne peut pas le lire ; rien d’autre n’a été contrôlé',
  disk_low: 'Le disque est presque plein',
  disk_filling: 'Plus de neuf dixièmes du disque sont occupés',
  backup_missing: 'Aucune sauvegarde n’a encore été faite avec `helpdesk backup`',
  backup_old: 'La dernière sauvegarde a plus d’une semaine',
  snapshot_damaged: 'Un instantané est illisible ; supprimez-le, un desk qui tourne en fera un autre',
  log_damaged:
    'Des journaux conservés sont endommagés : `restore --at` ne peut pas aller au-delà, et une simple copie ne peut pas s’en servir ; un desk qui tourne fait de nouveaux instantanés, après quoi ils ne sont plus nécessaires',
  log_missing:
    'Des journaux conservés manquent : une simple copie n’a pas leur contenu tant qu’un desk qui tourne n’a pas fait son prochain instantané',
  erasures_damaged: 'La liste des personnes effacées est endommagée ; une restauration pourrait ramener des personnes',
  erasures_incomplete:
    'Il manque à la liste des personnes effacées des personnes que la base de données a effacées ; le prochain démarrage les note. D’ici là, seule une restauration qui peut lire cette base les laisse effacées',
  history_damaged: 'Des modifications confirmées manquent',
  log_unproven:
    'Le journal dont helpdesk.db a besoin n’est pas dans wal/ : des modifications confirmées peuvent manquer',
  log_apart: 'Le journal d’écriture sera réparé au prochain démarrage',
  database_replaced: 'helpdesk.db a été remplacé ou modifié pendant qu’aucun desk ne tournait',
  database_missing: 'helpdesk.db manque ; restaurez-le à partir d’une sauvegarde',
  database_unreadable: 'La base de données est illisible ; restaurez-la à partir d’une sauvegarde',
  database_not_copied: 'LiteFS n’a pas donné la base de données de cette machine ; elle n’a pas été contrôlée',
  database_no_room: 'La base de données ne peut pas être ouverte, car son disque est plein ; libérez de la place',
  database_damaged: 'La base de données est endommagée ; restaurez-la à partir d’une sauvegarde',
  copy_unopened:
    'C’est une copie qu’aucun desk n’a encore ouverte ; lancez un desk dessus, qui la complète, puis refaites le contrôle',
  reference_broken: 'Des lignes renvoient à des lignes qui n’existent pas',
  row_unreadable: 'Des lignes sont illisibles ; restaurez-les à partir d’une sauvegarde',
  schema_refused: 'Ce programme ne peut pas travailler avec ce schéma',
  schema_behind: 'Le schéma est plus ancien que ce programme ; le prochain démarrage le met à niveau',
  key_missing: 'secret.key manque ; remettez-le ou définissez HELPDESK_SECRET_KEY',
  key_damaged: 'secret.key est endommagé ; restaurez-le à partir d’une sauvegarde',
  key_foreign: 'La clé ne déchiffre pas les secrets conservés ; remettez la clé de ce desk',
  index_damaged: 'L’index plein texte est endommagé',
  document_missing: 'La recherche ne trouve pas certains tickets ou auteurs',
  document_orphaned: 'La recherche trouve des tickets ou des auteurs qui n’existent plus',
  totals_differ: 'Les totaux de tickets conservés sont faux',
  message_count_differs: 'Le nombre de messages conservé pour des tickets est faux',
  priority_level_differs: 'Des tickets ont un autre niveau que leur priorité',
  report_facts_differ: 'Ce que les rapports comptent pour des tickets n’est pas ce que dit leur historique',
  ticket_set_aside:
    'Une tâche récurrente échoue sur des tickets et les laisse de côté une heure à la fois ; le journal contient l’erreur',
  site_being_removed: 'Des lignes d’un site supprimé sont encore en cours de suppression ; un desk qui tourne continue',
  tags_differ: 'Des tickets sont trouvés par des étiquettes qu’ils n’ont pas, ou pas par celles qu’ils ont',
  clock_jumped: 'L’horloge de la machine a sauté de plus d’une heure pendant que le desk tournait',
  event_ahead: 'Des événements sont dans le futur : l’horloge était ou est fausse',
  event_backwards: 'L’horloge a reculé de plus d’une minute entre deux événements d’un ticket',
  attachment_missing: 'Des fichiers de pièces jointes manquent ; restaurez-les à partir d’une sauvegarde',
  attachment_damaged: 'Des fichiers ont changé depuis leur enregistrement ; restaurez-les à partir d’une sauvegarde',
  store_unreachable:
    'Le stockage des fichiers ne répond pas, ses fichiers n’ont pas été contrôlés ; vérifiez le bucket et sa clé',
  file_elsewhere:
    'Des fichiers ne sont pas sur cette machine et n’ont pas été contrôlés : sans bucket, chacun est sur la machine qui était primaire à son arrivée',
  folder_foreign:
    'Des dossiers du bucket appartiennent à une autre copie de ce desk, ou à ce desk avant sa restauration ou son déplacement : il lit leurs fichiers et n’en supprime aucun, même de personnes effacées',
  file_unchecked: 'Des fichiers attendent l’antivirus depuis plus d’une heure',
  file_infected: 'Des fichiers sont infectés ; personne ne peut les télécharger',
  file_orphaned: 'Des fichiers n’appartiennent à aucun ticket ni à aucun e-mail',
  rules_too_slow:
    'Cette dernière semaine, des règles d’entrée ont été trop longues pour un message, et les suivantes ont été omises ; simplifiez ou supprimez des expressions régulières',
  automation_skipped:
    'Cette dernière semaine, des déclencheurs ou des règles temporelles ont atteint une limite, ont été trop lents ou n’ont pas pu tout faire ; l’historique des tickets dit pourquoi',
  rules_over_limit:
    'Des sites ont plus de règles d’entrée, ou de plus grandes, que les limites actuelles ; elles tournent toujours, dans le temps prévu pour un message',
  mailbox_refused:
    'Des boîtes ne sont pas lues, car leur serveur a refusé trois fois le mot de passe ; saisissez le nouveau',
  mailbox_failing:
    'Des boîtes ne peuvent pas être lues pour le moment ; le desk réessaie à quelques minutes d’intervalle',
  mailbox_consent_needed:
    'Des boîtes ne sont pas lues, car leur fournisseur ne donne pas l’accès ; reconnectez-les, par exemple avec `helpdesk mailbox connect`',
  sender_spf:
    'SPF dans le DNS ne prouve pas les e-mails d’expéditeurs ; `helpdesk sender check` dit ce qu’il faut ajouter',
  sender_dkim:
    'DKIM dans le DNS ne prouve pas les e-mails d’expéditeurs ; `helpdesk sender check` dit ce qu’il faut ajouter',
  sender_dmarc: 'DMARC dans le DNS ne protège pas des expéditeurs ; `helpdesk sender check` dit ce qu’il faut ajouter',
  mailbox_canary: 'Les e-mails que le desk envoie à des boîtes elles-mêmes ne reviennent pas',
  mailbox_missing_mail:
    'Des e-mails étaient dans des boîtes sans être arrivés au desk ; ils ont été récupérés plus tard',
  mailbox_quiet: 'Des boîtes reçoivent moins d’e-mails que d’habitude',
  mailbox_expired: 'Ce dont des boîtes ont besoin a expiré',
  mailbox_expiring: 'Ce dont des boîtes ont besoin expire bientôt',
  mail_missing: 'Des e-mails classés ont perdu leur original et ne peuvent pas être retraités',
  mail_lost:
    'Des e-mails qui ne sont encore dans aucun ticket ont perdu leur original ; restaurez-le à partir d’une sauvegarde, ou demandez aux expéditeurs de les renvoyer',
  mail_damaged: 'Des e-mails conservés ont changé depuis leur arrivée ; restaurez-les à partir d’une sauvegarde',
};

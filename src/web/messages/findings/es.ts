// What the doctor finds, in Spanish.

import type { FindingCode } from '../../../domain/findings.ts';

export const findings: Record<FindingCode, string> = {
  setting_invalid: 'Un ajuste no es válido',
  base_url_unset: 'No se ha definido la dirección del desk; los enlaces llevan la dirección en la que escucha',
  base_url_insecure: 'La dirección del desk usa http sin cifrar; los tokens pasan por la red sin protección',
  mail_server_unset:
    'No hay servidor de correo; los correos que no salen por ningún buzón solo se escriben en archivos',
  commits_not_synced: 'HELPDESK_SYNCHRONOUS es menor que FULL; un corte de luz puede perder cambios ya confirmados',
  scanner_down: 'El antivirus de HELPDESK_CLAMAV no responde; los archivos no se comprueban',
  spam_filter_down: 'El filtro de spam de HELPDESK_RSPAMD_URL no responde; los correos se archivan sin su puntuación',
  directory_open: 'Otros usuarios pueden leer el directorio de datos',
  key_open: 'Otros usuarios pueden leer secret.key',
  file_open: 'Otros usuarios pueden leer la base de datos o archivos guardados',
  foreign_owner: 'Algunos archivos son de otro usuario o no se pueden leer',
  file_misplaced:
    'Donde el desk guarda un archivo o un directorio hay otra cosa, o el desk no lo puede leer; no se comprobó nada más',
  disk_low: 'El disco está casi lleno',
  disk_filling: 'Más de nueve décimas partes del disco están ocupadas',
  backup_missing: 'Todavía no se ha hecho ninguna copia de seguridad con `helpdesk backup`',
  backup_old: 'La última copia de seguridad tiene más de una semana',
  snapshot_damaged: 'Una instantánea no se puede leer; elimínala, y un desk en marcha hará otra',
  log_damaged:
    'Hay registros guardados dañados: `restore --at` no puede pasar de ellos, y una copia simple no puede usarlos; un desk en marcha hace nuevas instantáneas, y después ya no hacen falta',
  log_missing:
    'Faltan registros guardados: a una copia simple le falta lo que tenían hasta que un desk en marcha haga su próxima instantánea',
  erasures_damaged: 'La lista de personas borradas está dañada; una restauración podría traer personas de vuelta',
  erasures_incomplete:
    'En la lista de personas borradas faltan algunas que la base de datos ha borrado; el próximo arranque las anota. Hasta entonces, solo una restauración que pueda leer esta base de datos las mantiene borradas',
  history_damaged: 'Faltan algunos cambios confirmados',
  log_unproven: 'El registro que helpdesk.db necesita no está en wal/: pueden faltar cambios confirmados',
  log_apart: 'El registro de escritura se reparará en el próximo arranque',
  database_replaced: 'helpdesk.db se sustituyó o cambió mientras no funcionaba ningún desk',
  database_missing: 'Falta helpdesk.db; restáuralo de una copia de seguridad',
  database_unreadable: 'La base de datos no se puede leer; restáurala de una copia de seguridad',
  database_not_copied: 'LiteFS no entregó la base de datos de esta máquina; no se comprobó',
  database_no_room: 'La base de datos no se puede abrir porque su disco está lleno; libera espacio',
  database_damaged: 'La base de datos está dañada; restáurala de una copia de seguridad',
  copy_unopened:
    'Es una copia que ningún desk ha abierto todavía; arranca un desk con ella, que la completa, y repite la comprobación',
  reference_broken: 'Hay filas que remiten a filas que no existen',
  row_unreadable: 'Hay filas que no se pueden leer; restáuralas de una copia de seguridad',
  schema_refused: 'Este programa no puede trabajar con el esquema',
  schema_behind: 'El esquema es más antiguo que este programa; el próximo arranque lo actualiza',
  key_missing: 'Falta secret.key; devuélvelo a su sitio o define HELPDESK_SECRET_KEY',
  key_damaged: 'secret.key está dañado; restáuralo de una copia de seguridad',
  key_foreign: 'La clave no descifra los secretos guardados; devuelve la clave de este desk',
  index_damaged: 'El índice de texto está dañado',
  document_missing: 'La búsqueda no encuentra algunos tickets o autores',
  document_orphaned: 'La búsqueda encuentra tickets o autores que ya no existen',
  totals_differ: 'Los totales de tickets guardados no son correctos',
  message_count_differs: 'El número guardado de mensajes de algunos tickets no es correcto',
  priority_level_differs: 'Hay tickets con un nivel distinto del de su prioridad',
  report_facts_differ: 'Lo que los informes cuentan de algunos tickets no es lo que dice su historial',
  ticket_set_aside:
    'Una tarea periódica falla con algunos tickets y los aparta una hora cada vez; el registro tiene el error',
  site_being_removed: 'Todavía se eliminan filas de un sitio eliminado; un desk en marcha continúa con ello',
  tags_differ: 'Hay tickets que se encuentran por etiquetas que no tienen, o no por las que tienen',
  clock_jumped: 'El reloj de la máquina saltó más de una hora mientras funcionaba el desk',
  event_ahead: 'Hay eventos en el futuro: el reloj iba o va mal',
  event_backwards: 'El reloj retrocedió más de un minuto entre dos eventos de un ticket',
  attachment_missing: 'Faltan archivos de adjuntos; restáuralos de una copia de seguridad',
  attachment_damaged: 'Hay archivos que han cambiado desde que se guardaron; restáuralos de una copia de seguridad',
  store_unreachable: 'El almacén de archivos no responde y sus archivos no se comprobaron; revisa el bucket y su clave',
  file_elsewhere:
    'Hay archivos que no están en esta máquina y no se comprobaron: sin bucket, cada uno está en la máquina que era la primaria cuando llegó',
  folder_foreign:
    'Hay carpetas del bucket que son de otra copia de este desk, o de este desk antes de restaurarse o trasladarse: lee sus archivos y no elimina ninguno, tampoco de personas borradas',
  file_unchecked: 'Hay archivos que esperan al antivirus desde hace más de una hora',
  file_infected: 'Hay archivos infectados; nadie puede descargarlos',
  file_orphaned: 'Hay archivos que no pertenecen a ningún ticket ni correo',
  rules_too_slow:
    'En la última semana, las reglas de entrada tardaron demasiado con un mensaje y se omitieron las siguientes; simplifica o elimina expresiones regulares',
  automation_skipped:
    'En la última semana, disparadores o reglas de tiempo llegaron a un límite, fueron demasiado lentos o no pudieron hacerlo todo; el historial de los tickets dice por qué',
  rules_over_limit:
    'Hay sitios con más reglas de entrada, o más grandes, de lo que hoy se permite; siguen funcionando dentro del tiempo de un mensaje',
  mailbox_refused: 'Hay buzones que no se leen porque su servidor rechazó la contraseña tres veces; introduce la nueva',
  mailbox_failing: 'Hay buzones que ahora no se pueden leer; el desk lo intenta de nuevo cada pocos minutos',
  mailbox_consent_needed:
    'Hay buzones que no se leen porque su proveedor no da acceso; conéctalos de nuevo, por ejemplo con `helpdesk mailbox connect`',
  sender_spf: 'SPF en el DNS no acredita correos de remitentes; `helpdesk sender check` dice qué añadir',
  sender_dkim: 'DKIM en el DNS no acredita correos de remitentes; `helpdesk sender check` dice qué añadir',
  sender_dmarc: 'DMARC en el DNS no protege a remitentes; `helpdesk sender check` dice qué añadir',
  mailbox_canary: 'Los correos que el desk envía a los propios buzones no vuelven',
  mailbox_missing_mail: 'Había correos en buzones que no habían llegado al desk; se recogieron más tarde',
  mailbox_quiet: 'Llegan a buzones menos correos de lo habitual',
  mailbox_expired: 'Ha caducado algo que los buzones necesitan',
  mailbox_expiring: 'Caduca pronto algo que los buzones necesitan',
  mail_missing: 'Hay correos archivados que perdieron su original y no se pueden procesar de nuevo',
  mail_lost:
    'Hay correos que aún no están en ningún ticket y perdieron su original; restáuralo de una copia de seguridad, o pide a los remitentes que los envíen otra vez',
  mail_damaged: 'Hay correos guardados que han cambiado desde que llegaron; restáuralos de una copia de seguridad',
};

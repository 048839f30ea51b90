// The search in the settings: other words for each section, separated by commas, in Spanish.

import type { Search } from '../en/settings-search.ts';

export const messages: Search = {
  findSetting: 'Buscar un ajuste',
  noSettingFound: 'Ningún ajuste coincide. Prueba con otra palabra.',

  wordsGeneral:
    'nombre, identificador, idioma, cierre automático, reabrir, adjuntos, tipos de archivo, respuestas por correo, respuesta automática, antivirus, tamaño de archivo, cerrar tickets',
  wordsMailboxes: 'IMAP, SMTP, Gmail, Outlook, Microsoft 365, cuenta de correo, contraseña, conectar',
  wordsMailDns: 'SPF, DKIM, DMARC, DNS, registros, llega a spam',
  wordsSpam: 'rspamd, correo no deseado, puntuación, retener correo',
  wordsSenders: 'bloquear, lista negra, permitir, lista blanca, dominio',
  wordsFirstSteps: 'instalación, empezar, crear un sitio, correo de prueba',
  wordsPeople:
    'agentes, usuarios, equipo, invitar, roles, propietario, administrador, miembros, permisos, borrar una cuenta, eliminar una cuenta',
  wordsTeams: 'grupos, departamentos, miembros, turnos, asignación',
  wordsTokens: 'API, clave de API, acceso, permisos, programa, clave API',
  wordsAddresses: 'URL, enlace, dominio, dirección de respuesta, entrada, host',
  wordsBucket: 'S3, almacén de objetos, adjuntos, disco, MinIO',
  wordsMailServer: 'SMTP, envío, invitaciones, dirección del remitente',
  wordsMailApps: 'OAuth, Google, Microsoft, id de cliente, secreto de cliente',
  wordsMailTrace: 'correo perdido, Message-ID, entrega, dónde está mi correo, rebote, correo devuelto',
  wordsWorkingHours:
    'horario de oficina, horas de apertura, semana, festivos, zona horaria, calendario, horario laboral, días laborables',
  wordsWebhooks: 'integraciones, eventos, entregas, firma, HTTP',
  wordsSignIn:
    'segundo factor, 2FA, contraseña, OpenID, inicio de sesión único, SSO, nombre del desk, informes sobre agentes',
  wordsNotices: 'notificaciones, horas de silencio, push, sonido, resumen por correo, valores por defecto, campana',
  wordsAudit: 'historial, quién cambió qué, CSV, seguridad, registro',
  wordsCategories: 'temas, tipos de tickets, ordenar',
  wordsPriorities: 'urgente, importancia, orden',
  wordsMacros: 'respuestas predefinidas, plantillas, bloques de texto, marcadores',
  wordsFields: 'campos personalizados, número de pedido, formulario, obligatorio',
  wordsRules: 'automatización, filtro, reenviar, descartar, asignar automáticamente, orden, probar',
  wordsTriggers:
    'automatización, escalado, eventos, flujo de trabajo, asignar automáticamente, respuesta automática, escalar',
  wordsTimedRules:
    'automatización, escalado, recordatorio, cerrar automáticamente, seguimiento, espera demasiado, programación, tiempo desde, escalar, cerrar tickets',
  wordsRecurring:
    'automatización, programación, horario, cron, cada semana, cada mes, repetir, lista de control, mantenimiento',
  wordsSla: 'objetivos, primera respuesta, resolución, vencimiento, plazo',
  wordsInbound: 'Mailgun, Postmark, SendGrid, SES, pipe, proveedor, dirección de entrada',
  wordsCustomersPages:
    'marca, logotipo, color, formulario, portal, enlaces, insertar, tema, formulario de contacto, widget, centro de ayuda',
  wordsSignatures: 'remitentes, dirección de envío, dirección de respuesta, nombre, pie de página',
  wordsTemplates:
    'acuse de recibo, correos automáticos, textos, confirmación, respuesta automática, pie de página, encuesta de satisfacción',
  wordsSystem:
    'estado, doctor, copia de seguridad, restauración, almacenamiento, disco, outbox, versión, clúster, entorno, backup, antivirus, cola, registros, actualización',
  wordsEnvironment: 'ajustes del entorno, variables, HELPDESK_, configuración',
  wordsSettingsFile: 'exportar, importar, YAML, archivo, copia, control de versiones, Git',
  wordsDanger: 'eliminar el sitio, renovar, token del sitio, secreto, borrar el sitio, quitar el sitio',
  wordsSites: 'crear un sitio, tienda nueva, marca, añadir un sitio',
};

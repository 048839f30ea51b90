// The messages of the settings that prove mail, in Spanish.

import type { ProofMessages } from '../en/settings-proof.ts';

export const messages: ProofMessages = {
  // Mail in DNS
  mailInDns: 'Correo en el DNS',
  mailInDnsLead:
    'Los destinatarios confían en el correo cuyo dominio nombra sus servidores (SPF), publica la clave de su firma (DKIM) y dice qué hacer con el resto (DMARC).',
  checkAll: 'Comprobar todo',
  checkNow: 'Comprobar',
  checkSender: (address: string) => `Comprobar ${address}`,
  defaultSender: 'Remitente predeterminado',
  notChecked: 'Aún no comprobado.',
  recordAligned: 'En orden',
  recordMissing: 'Falta',
  recordWrong: 'No alineado',
  recordUnknown: 'No es seguro',
  recordFound: 'En el DNS:',
  recordToAdd: 'Añade este registro en el proveedor de tu dominio:',
  recordToChange: 'Sustitúyelo en el proveedor de tu dominio por:',
  recordName: 'Nombre',
  recordType: 'Tipo',
  recordValue: 'Valor',
  valueFromServer: 'tal como lo muestra tu servidor o proveedor de correo',
  copyPart: (part: string, value: string) => `Copiar ${part}: ${value}`,
  partCopied: (part: string) => `${part}: copiado.`,
  dnsSilent: 'El DNS no respondió. Compruébalo más tarde.',
  severalRecords: 'Hay varios registros de este tipo, así que ninguno cuenta. Haz uno solo.',
  spfMissing: 'Ningún registro dice qué servidores envían el correo de este dominio.',
  spfNamesNone: 'El registro no nombra ningún servidor que envíe el correo de este dominio.',
  spfBroken:
    'Los destinatarios ignoran el registro: tiene un error o pide más de diez registros. Acórtalo o corrígelo.',
  spfCovers: (server: string) => `El correo está alineado: el registro permite ${server}, por donde sale.`,
  spfUnjudged:
    'Hay un registro. Asegúrate de que nombra tu servidor de correo, cuya dirección pública el desk no conoce.',
  spfLacksProvider: (provider: string) =>
    `El correo no está alineado: sale por ${provider}, que el registro no permite.`,
  spfLacksServer: (server: string) =>
    `El registro no permite ${server}. Si ese servidor entrega el correo a otros, cuentan ellos. Si no, no está alineado.`,
  dkimKey: (name: string) => `Hay una clave en ${name}. El correo firmado con ella está alineado.`,
  dkimOfProvider: 'El correo está alineado: el proveedor firma el de su propio dominio.',
  dkimRevoked: (name: string) => `La clave en ${name} está revocada: está vacía.`,
  dkimMissing:
    'Los selectores de este remitente no tienen clave. Tu servidor, que firma el correo, muestra el registro.',
  dkimOff: (provider: string) =>
    `El correo no está alineado: ${provider} aún no firma con este dominio. Activa DKIM allí; allí se muestra el registro.`,
  dkimNotFound:
    'Ninguna clave tiene uno de los nombres habituales. Indica el selector de tu servidor en la página del remitente.',
  dmarcMissing:
    'Ningún registro dice qué hacen los destinatarios con el correo no alineado. Los grandes proveedores piden uno.',
  dmarcPasses: (policy: string) => `El correo pasa. La política es «${policy}».`,
  dmarcUnsure: (policy: string) => `La política es «${policy}». Que el correo pase depende de SPF y DKIM, más arriba.`,
  dmarcFails: (policy: string) =>
    `El correo no pasa: ni SPF ni DKIM está alineado. Con la política «${policy}» se rechaza o acaba en spam.`,
  dmarcFailsMildly:
    'El correo no pasa: ni SPF ni DKIM está alineado. La política «none» lo deja pasar, pero muchos destinatarios lo toman por spam.',

  // Mail trace
  mailTrace: 'Seguimiento de correo',
  mailTraceLead: '¿Dónde está ese correo? Cada paso de cada correo que llegó o salió.',
  traceWhat: 'Dirección, Message-ID o asunto',
  traceHint: 'Basta una parte: mia@example.org, example.org o timbre roto.',
  traceTooShort: 'Escribe al menos tres caracteres.',
  traceFind: 'Buscar',
  traceNothing: 'No hay tal correo',
  traceNothingText:
    'El desk no lo ha recibido ni enviado. Las palabras se buscan entre los 5.000 correos más recientes en cada sentido.',
  traceFound: (shown: string, value: number) => (value === 1 ? '1 correo' : `${shown} correos`),
  traceIsCut: 'Solo se muestran los 50 más recientes. Busca con más detalle.',
  cameFrom: (address: string) => `de ${address}`,
  wentTo: (address: string) => `para ${address}`,
  toTicket: 'Abrir el ticket',
  stepSeen: 'Visto en el buzón',
  stepStored: 'Guardado',
  stepSenderChecked: 'Remitente comprobado',
  stepWaiting: 'En espera',
  stepFiled: 'Archivado',
  stepNotFiled: 'No archivado',
  stepForwarded: 'Reenviado',
  stepSettled: 'Resuelto en el buzón',
  stepQueued: 'En la bandeja de salida',
  stepRefused: 'No aceptado',
  stepAccepted: 'Aceptado por el servidor',
  stepFailed: 'Abandonado',
  stepBounced: 'Devuelto',

  // Watch over a mailbox
  watch: 'Vigilancia',
  alarmSince: (when: string) => `desde el ${when}`,
  alarmFailing: 'No se puede leer.',
  alarmRefused: 'Se rechaza la contraseña.',
  alarmConsent: 'El proveedor no da acceso.',
  alarmCanary: 'El correo no vuelve.',
  alarmMissing: 'Faltaba correo.',
  alarmQuiet: 'Hay menos correo de lo habitual.',
  alarmCertificateIn: 'El certificado de lectura caduca.',
  alarmCertificateOut: 'El certificado de envío caduca.',
  alarmSecret: 'El secreto de la aplicación de correo caduca.',
  alarmConsentEnds: 'El consentimiento en el proveedor caduca.',
  canary: 'Canario',
  canaryHint:
    'Cada diez minutos el desk envía un pequeño correo de este buzón a sí mismo y lo borra cuando vuelve. Si no está después de 15 minutos, los propietarios se enteran.',
  canaryOn: 'El canario está activado.',
  canaryOff: 'El canario está desactivado.',
  canaryBack: (took: string, when: string) => `El último tardó ${took} y volvió el ${when}.`,
  canaryNoneYet: 'Aún no ha vuelto ninguno.',
  canaryGraph: (shown: string, slowest: string, lost: string) =>
    `Los últimos ${shown}. El más lento tardó ${slowest}; sin volver: ${lost}.`,
  dailyCount: 'Recuento diario',
  notCountedYet:
    'Aún sin recuento. Una vez al día el desk compara los últimos siete días de la carpeta con lo que tiene.',
  countedAll: (messages: string, when: string) =>
    `No falta nada. Mensajes de los últimos siete días: ${messages}, contados el ${when}.`,
  countedMissing: (messages: string, missing: string, when: string) =>
    `Mensajes de los últimos siete días: ${messages}. Faltaban y se recuperaron: ${missing}. Contados el ${when}.`,
  quietHint:
    'Si a una hora de la semana no llega nada durante mucho más tiempo de lo habitual, los propietarios también se enteran, tras cuatro semanas con correo.',
  expiries: 'Lo que caduca',
  endsCertificateIn: 'Certificado de lectura',
  endsCertificateOut: 'Certificado de envío',
  endsSecret: 'Secreto de la aplicación de correo',
  endsConsent: 'Consentimiento en el proveedor',
  endsInDays: (shown: string, date: string, days: number) =>
    days === 1 ? `en 1 día, el ${date}` : `en ${shown} días, el ${date}`,
  hasEnded: (date: string) => `caducó el ${date}`,
  whoHears: 'Quién se entera de las alarmas',
  ownersHear:
    'Cada propietario, por correo a través del servidor del desk o, sin él, de otro buzón. Un canal es la vía que no necesita correo.',
  noChannels: 'Este sitio aún no tiene canal (helpdesk channel add … --events mailbox.alarm).',
  alarmsTo: (channel: string) => `Alarmas a «${channel}»`,
  onlyEvent: 'Es el único evento de este canal. Elimina el canal en su lugar.',
  channelIsOff: 'El canal está desactivado.',
  alarmsGoTo: (channel: string) => `Las alarmas van a «${channel}».`,
  alarmsNoLongerGoTo: (channel: string) => `Las alarmas ya no van a «${channel}».`,

  // Spam filter
  spamFilter: 'Filtro de spam',
  spamFilterLead: 'Con rspamd, el correo que llega tiene una puntuación antes de archivarse.',
  spamThresholds: 'A partir de qué puntuación',
  holdFrom: 'Retener a partir de',
  holdHint: 'Espera entre el correo retenido hasta que alguien mire. Vacío: nunca.',
  markFrom: 'Marcar como spam a partir de',
  markHint: 'Solo tickets de remitentes probados; el resto se retiene. Vacío: nunca.',
  scoreRefused: 'Escribe un número de 0 a 1.000, o nada.',
  nothingIsHeld: 'Ningún correo se retiene ni se marca por su puntuación.',
  heldFrom: (hold: string) => `El correo con ${hold} o más se retiene. Nada se marca como spam.`,
  markedFrom: (mark: string) =>
    `El correo con ${mark} o más se convierte en un ticket marcado como spam, o se retiene si su remitente no está probado.`,
  heldAndMarkedFrom: (hold: string, mark: string) =>
    `El correo con ${hold} o más se retiene. Con ${mark} o más se convierte en un ticket marcado como spam, si su remitente está probado.`,
  spamSaved: 'Se cambiaron las puntuaciones.',
  testFilter: 'Probar',
  filterAsking: 'Preguntando al filtro…',
  filterUnset:
    'No hay ningún filtro configurado, así que el correo no tiene puntuación. Quien opera el desk lo inicia con:',
  filterAnswers: (milliseconds: string, score: string) =>
    `rspamd responde: tardó ${milliseconds} ms y da a un mensaje de prueba inofensivo una puntuación de ${score}.`,
  filterDown: 'rspamd no responde. Hasta que lo haga, el correo se archiva sin puntuación.',
};

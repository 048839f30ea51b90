// The messages in Spanish.

import type { Messages } from './en.ts';

export const messages: Messages = {
  // Everywhere
  close: 'Cerrar',
  cancel: 'Cancelar',
  tryAgain: 'Reintentar',
  language: 'Idioma',
  email: 'Correo electrónico',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva',
  name: 'Nombre',
  showPassword: 'Mostrar la contraseña',
  code: 'Código',
  required: 'Rellena este campo.',
  requestId: 'Número de la solicitud:',

  // What went wrong
  offline: 'No tienes conexión. Comprueba la red e inténtalo de nuevo.',
  unreachable: 'El desk no responde. Inténtalo de nuevo en un momento.',
  wrongCredentials: 'El correo electrónico o la contraseña no son correctos.',
  rateLimited: (wait) => `Demasiados intentos. Puedes volver a intentarlo en ${wait}.`,
  busy: 'El desk está muy ocupado. Inténtalo de nuevo en un momento.',
  crossSite: 'El desk rechazó la solicitud porque venía de otra dirección. Abre el desk en su propia dirección.',
  linkExpired: 'Este enlace ha caducado o ya se ha usado.',
  forbidden: 'No tienes permiso para hacer esto.',
  signedOut: 'Has cerrado la sesión. Inicia sesión de nuevo.',
  failed: 'Algo ha fallado en el desk. No se ha cambiado nada.',
  emailRefused: 'Escribe una dirección de correo completa, por ejemplo ana@example.org.',
  nameRefused: 'Escribe un nombre de 255 caracteres como máximo.',
  passwordRefused: 'Elige otra contraseña. No puede ser habitual ni tu dirección de correo.',
  passwordShort: (least) => `Usa al menos ${least} caracteres.`,
  passwordHint: (least) => `Al menos ${least} caracteres. Unas palabras se recuerdan mejor que los signos.`,
  codeWrong: 'Este código no es correcto o ya se ha usado. Prueba con el siguiente.',
  signatureRefused: 'Esta firma es demasiado larga.',

  // Signing in
  signIn: 'Iniciar sesión',
  signInTo: (desk) => `Iniciar sesión en ${desk}`,
  forgotPassword: '¿Has olvidado la contraseña?',
  or: 'o',
  signInWithPasskey: 'Iniciar sesión con una llave de acceso',
  issuerDown: (label) => `«${label}» no funciona en este momento, porque su servidor no responde.`,
  noWayIn: 'Aquí no se puede iniciar sesión con contraseña. Pide ayuda al propietario de este desk.',
  deskIsNew: 'Este desk aún no tiene propietario. Al arrancar muestra en el terminal un enlace para configurarlo.',
  signInFailed: 'No se ha podido iniciar sesión. Inténtalo de nuevo.',

  // Second factor
  secondFactor: 'Confirma que eres tú',
  enterTotp: 'Escribe los seis dígitos que muestra tu aplicación de autenticación.',
  enterRecoveryCode: 'Escribe uno de los códigos de recuperación que guardaste. Cada uno sirve una vez.',
  usePasskeyNow: 'Confirma con tu llave de acceso.',
  recoveryCode: 'Código de recuperación',
  confirm: 'Confirmar',
  usePassword: 'Usar tu contraseña',
  useTotp: 'Usar un código de tu aplicación',
  useRecoveryCode: 'Usar un código de recuperación',
  usePasskey: 'Usar una llave de acceso',
  startAgain: 'Empezar de nuevo',
  challengeExpired: 'Ha pasado demasiado tiempo. Inicia sesión de nuevo.',

  // Links
  linkExpiredTitle: 'Este enlace ya no funciona',
  linkMissing: 'El enlace está incompleto. Cópialo entero, también lo que sigue al signo #.',
  signInLinkNext:
    'Los enlaces para iniciar sesión sirven una vez, durante 15 minutos. Pide uno nuevo o inicia sesión con tu contraseña.',
  setupLinkNext:
    'Un enlace de configuración sirve una vez, hasta que el desk se reinicia. Reinicia el desk para obtener uno nuevo.',
  invitationLinkNext:
    'Las invitaciones duran siete días, y una nueva sustituye a la anterior. Habla con la persona que te invitó.',
  resetLinkNext: 'Los enlaces para cambiar la contraseña sirven una vez, durante una hora. Puedes pedir otro.',
  toSignIn: 'Ir al inicio de sesión',

  // Setup and invitation
  setupTitle: 'Configura tu desk',
  setupLead: 'Serás su primer propietario. Más adelante podrás invitar a otras personas.',
  createDesk: 'Crear el desk',
  invitationTitle: (desk) => `Te damos la bienvenida a ${desk}`,
  invitationLead: (email) => `Te han invitado como ${email}. Elige tu nombre y una contraseña.`,
  join: 'Unirse',

  // Forgotten password
  resetTitle: 'Cambiar la contraseña',
  resetLead: 'Escribe tu dirección. Te enviaremos un enlace para elegir una contraseña nueva.',
  sendLink: 'Enviar el enlace',
  resetSentTitle: 'Mira tu correo',
  resetSent: (email) =>
    `Si ${email} es de un agente, hay un enlace en camino. Sirve durante una hora. Mira también en el correo no deseado.`,
  chooseNewPassword: 'Elige una contraseña nueva',
  newPasswordLead: 'Se cerrará la sesión en todos los demás dispositivos.',
  savePassword: 'Guardar la contraseña',

  // Profile
  profile: 'Perfil',
  skipToContent: 'Ir al contenido',
  signOut: 'Cerrar sesión',
  sections: 'Secciones',
  you: 'Tú',
  youLead: 'Tus compañeros y los clientes ven tu nombre.',
  save: 'Guardar',
  saved: 'Guardado.',
  signature: 'Firma',
  signatureHint: 'Se añade al pie de tus respuestas.',
  preferences: 'Preferencias',
  preferencesLead: 'Valen en todos los dispositivos donde inicies sesión.',
  theme: 'Tema',
  themeSystem: 'Como el sistema',
  themeLight: 'Claro',
  themeDark: 'Oscuro',
  timeZone: 'Zona horaria',
  timeZoneOfDesk: 'La del desk',
  roleOwner: 'Propietario',
  roleAdmin: 'Administrador',
  roleMember: 'Miembro',
  roleViewer: 'Lector',

  // Password
  passwordLead: 'Una contraseña nueva cierra la sesión en todos tus demás dispositivos.',
  noPassword: 'Aún no tienes contraseña.',
  currentPassword: 'Contraseña actual',
  currentPasswordWrong: 'Esta no es tu contraseña actual.',
  changePassword: 'Cambiar la contraseña',
  setPassword: 'Crear una contraseña',
  passwordChanged: 'Se ha cambiado tu contraseña. Se ha cerrado la sesión en tus demás dispositivos.',

  // Authenticator app
  totp: 'Aplicación de autenticación',
  totpLead: 'Una aplicación de tu teléfono muestra un código que escribes al iniciar sesión.',
  isOn: 'Activada',
  isOff: 'Desactivada',
  turnOn: 'Activar',
  totpTurnOn: 'Activar la aplicación de autenticación',
  totpTurnOff: 'Desactivar la aplicación de autenticación',
  turnOff: 'Desactivar',
  totpTitle: 'Configurar la aplicación de autenticación',
  totpScan: 'Escanea esta imagen con tu aplicación, por ejemplo Aegis, 1Password o Google Authenticator.',
  qrAlt: 'Código QR para la aplicación de autenticación',
  totpByHand: 'O escribe esta clave a mano:',
  totpThenCode: 'Después escribe los seis dígitos que muestra la aplicación.',
  totpOn: 'La aplicación de autenticación está activada.',
  totpOff: 'La aplicación de autenticación está desactivada.',
  totpOffTitle: '¿Desactivar la aplicación de autenticación?',
  totpOffText:
    'Tus códigos de recuperación también dejarán de funcionar. Se cerrará la sesión en tus demás dispositivos.',
  mustAddFactor:
    'Este desk exige un segundo factor. Configura una aplicación de autenticación o una llave de acceso para continuar.',

  // Recovery codes
  recoveryCodes: 'Códigos de recuperación',
  recoveryCodesLead: 'Para el día en que pierdas el teléfono. Cada código sirve una vez.',
  recoveryCodesOnce: 'Guarda estos códigos en un lugar seguro, como un gestor de contraseñas. Solo se muestran ahora.',
  newRecoveryCodes: 'Crear códigos nuevos',
  newRecoveryCodesTitle: '¿Crear códigos de recuperación nuevos?',
  newRecoveryCodesText: 'Los códigos que tienes ahora dejarán de funcionar.',
  copy: 'Copiar',
  copied: 'Copiado.',
  copyFailed: 'No se ha podido copiar. Selecciona el texto y cópialo.',
  print: 'Imprimir',
  iKeptThem: 'Los he guardado',
  insecureClipboard: 'Los navegadores solo permiten copiar por https. Selecciona los códigos y cópialos.',

  // Passkeys
  passkeys: 'Llaves de acceso',
  passkeysLead: 'Inicia sesión con tu huella, tu cara o una llave de seguridad, sin contraseña.',
  noPasskeys: 'Aún no tienes llaves de acceso.',
  addPasskey: 'Añadir una llave de acceso',
  passkeyName: 'Nombre de la llave de acceso',
  passkeyNameHint: 'Para reconocerla más adelante, por ejemplo «Portátil del trabajo».',
  passkeyAdded: 'Se ha añadido la llave de acceso.',
  passkeyRemoved: 'Se ha eliminado la llave de acceso.',
  passkeyExists: 'Este dispositivo ya tiene una llave de acceso para este desk.',
  passkeyCancelled: 'El navegador no ha usado ninguna llave de acceso. Inténtalo de nuevo cuando quieras.',
  passkeyAddedAt: (date) => `Añadida el ${date}`,
  passkeyUsedAt: (when) => `Último uso: ${when}`,
  remove: 'Eliminar',
  removePasskey: (name) => `Eliminar ${name}`,
  removePasskeyTitle: (name) => `¿Eliminar «${name}»?`,
  removePasskeyText: 'Ya no podrás iniciar sesión con ella. Se cerrará la sesión en tus demás dispositivos.',
  insecurePasskeys:
    'Los navegadores solo permiten llaves de acceso por https. Este desk está abierto en una dirección http.',
  oldBrowserPasskeys: 'Este navegador es demasiado antiguo para las llaves de acceso.',

  // Sessions
  sessions: 'Dispositivos',
  sessionsLead: 'Dónde tienes la sesión abierta. Cierra lo que no reconozcas y cambia tu contraseña.',
  thisDevice: 'Este dispositivo',
  unknownBrowser: 'Navegador desconocido',
  browserOn: (browser, system) => `${browser} en ${system}`,
  lastActive: (when) => `Activo ${when}`,
  endSession: 'Cerrar sesión',
  endSessionOf: (browser) => `Cerrar sesión en ${browser}`,
  endOtherSessions: 'Cerrar todas las demás',
  sessionEnded: 'Se ha cerrado la sesión en el dispositivo.',
  sessionsEnded: 'Se ha cerrado la sesión en todos los demás dispositivos.',
  noOtherSessions: 'No tienes la sesión abierta en ningún otro sitio.',

  // Confirming the identity
  confirmIdentity: 'Confirma que eres tú',
  confirmIdentityLead: 'Este cambio es delicado. Escribe tu contraseña otra vez.',
  confirmIdentityCode: 'Este cambio es delicado. Escribe un código de tu aplicación de autenticación.',
};

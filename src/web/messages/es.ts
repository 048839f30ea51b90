// The messages in Spanish.

import type { Messages } from './en.ts';

export const messages: Messages = {
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
  nothingChosen: 'Ninguno',
  searchIn: (label: string) => `Buscar: ${label}`,
  noneFound: 'No se ha encontrado nada.',
  createOption: (text: string) => `Crear «${text}»`,
  requestId: 'Número de la solicitud:',
  saved: 'Guardado.',
  copy: 'Copiar',
  copied: 'Copiado.',
  copyFailed: 'No se ha podido copiar. Selecciona el texto y cópialo.',
  print: 'Imprimir',
  remove: 'Eliminar',

  statusOpen: 'Abierto',
  statusPending: 'Pendiente',
  statusResolved: 'Resuelto',
  statusClosed: 'Cerrado',

  offline: 'No tienes conexión. Comprueba la red e inténtalo de nuevo.',
  unreachable: 'El desk no responde. Inténtalo de nuevo en un momento.',
  wrongCredentials: 'El correo electrónico o la contraseña no son correctos.',
  rateLimited: (wait) => `Demasiados intentos. Puedes volver a intentarlo en ${wait}.`,
  busy: 'El desk está muy ocupado. Inténtalo de nuevo en un momento.',
  crossSite: (address) =>
    `El desk rechazó la solicitud porque esta página tiene otra dirección. Abre el desk en ${address}.`,
  linkExpired: 'Este enlace ha caducado o ya se ha usado.',
  forbidden: 'No tienes permiso para hacer esto.',
  lastOwner: 'Eres el último propietario que puede iniciar sesión. Añade antes otra forma de iniciar sesión.',
  signedOut: 'Has cerrado la sesión. Inicia sesión de nuevo.',
  failed: 'Algo ha fallado en el desk. Inténtalo de nuevo.',
  emailRefused: 'Escribe una dirección de correo completa, por ejemplo ana@example.org.',
  nameRefused: 'Escribe un nombre de 255 caracteres como máximo.',
  passwordRefused: 'Elige otra contraseña. No puede ser habitual ni tu dirección de correo.',
  passwordShort: (least) => `Usa al menos ${least} caracteres.`,
  passwordHint: (least) => `Al menos ${least} caracteres. Unas palabras se recuerdan mejor que los signos.`,
  codeWrong: 'Este código no es correcto o ya se ha usado. Prueba con el siguiente.',

  signIn: 'Iniciar sesión',
  signInTo: (desk) => `Iniciar sesión en ${desk}`,
  forgotPassword: '¿Has olvidado la contraseña?',
  or: 'o',
  signInWithPasskey: 'Iniciar sesión con una llave de acceso',
  issuerDown: (label) => `«${label}» no funciona en este momento, porque su servidor no responde.`,
  issuerDenied: (label) => `«${label}» se canceló o se rechazó.`,
  issuerUnverified: (label) => `«${label}» no ha funcionado, porque tu correo electrónico no está verificado allí.`,
  issuerUnknown: 'Ningún agente de este desk tiene tu correo electrónico. Pide una invitación a un propietario.',
  issuerInactive: 'Tu cuenta en este desk está desactivada. Habla con un propietario.',
  issuerOther: (label) => `«${label}» no ha funcionado, porque el agente con tu dirección usa allí otra cuenta.`,
  noWayIn: 'Aquí no se puede iniciar sesión con contraseña. Pide ayuda al propietario de este desk.',
  deskIsNew:
    'Ningún propietario puede iniciar sesión todavía en este desk. Al arrancar muestra un enlace en el terminal.',
  signInFailed: 'No se ha podido iniciar sesión. Inténtalo de nuevo.',

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

  setupTitle: 'Configura tu desk',
  setupLead: 'Serás su primer propietario. Más adelante podrás invitar a otras personas.',
  createDesk: 'Crear el desk',
  invitationTitle: (desk) => `Te damos la bienvenida a ${desk}`,
  invitationLead: (email) => `Te han invitado como ${email}. Elige tu nombre y una contraseña.`,
  join: 'Unirse',

  resetTitle: 'Cambiar la contraseña',
  resetLead: 'Escribe tu dirección. Te enviaremos un enlace para elegir una contraseña nueva.',
  sendLink: 'Enviar el enlace',
  resetSentTitle: 'Mira tu correo',
  resetSent: (email) =>
    `Si ${email} es de un agente, hay un enlace en camino. Sirve durante una hora. Mira también en el correo no deseado.`,
  chooseNewPassword: 'Elige una contraseña nueva',
  newPasswordLead: 'Se cerrará la sesión en todos los demás dispositivos.',
  savePassword: 'Guardar la contraseña',

  profile: 'Perfil',
  skipToContent: 'Ir al contenido',
  signOut: 'Cerrar sesión',
  save: 'Guardar',

  currentPasswordWrong: 'Esta no es tu contraseña actual.',

  mustAddFactor:
    'Este desk exige un segundo factor. Configura una aplicación de autenticación o una llave de acceso para continuar.',

  passkeyCancelled: 'El navegador no ha usado ninguna llave de acceso. Inténtalo de nuevo cuando quieras.',
  insecurePasskeys: 'Los navegadores solo permiten llaves de acceso por https, y no en una dirección IP.',
  oldBrowserPasskeys: 'Este navegador es demasiado antiguo para las llaves de acceso.',

  confirmIdentity: 'Confirma que eres tú',
  confirmIdentityLead: 'Este cambio es delicado. Escribe tu contraseña otra vez.',
  confirmIdentityCode: 'Este cambio es delicado. Escribe un código de tu aplicación de autenticación.',
  confirmIdentityAgain: 'Este cambio es delicado. Cierra la sesión, vuelve a entrar y hazlo en un plazo de 15 minutos.',
};

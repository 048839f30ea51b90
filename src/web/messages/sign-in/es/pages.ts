// The messages of signing in and of confirming the identity, in Spanish.

import type { SignInMessages } from '../en/pages.ts';

export const messages: SignInMessages = {
  email: 'Correo electrónico',
  signIn: 'Iniciar sesión',
  signInTo: (desk) => `Iniciar sesión en ${desk}`,
  forgotPassword: '¿Has olvidado la contraseña?',
  signInWithPasskey: 'Iniciar sesión con una llave de acceso',
  issuerDown: (label) => `«${label}» no funciona en este momento, porque su servidor no responde.`,
  issuerDenied: (label) => `«${label}» se canceló o se rechazó.`,
  issuerUnverified: (label) => `«${label}» no ha funcionado, porque tu correo electrónico no está verificado allí.`,
  issuerUnknown: 'Ningún agente de este desk tiene tu correo electrónico. Pide una invitación a un propietario.',
  issuerInactive: 'Tu cuenta en este desk está desactivada. Habla con un propietario.',
  issuerOther: (label) => `«${label}» no ha funcionado, porque el agente con tu dirección usa allí otra cuenta.`,
  deskIsNew:
    'Ningún propietario puede iniciar sesión todavía en este desk. Al arrancar muestra un enlace en el terminal.',
  signInFailed: 'No se ha podido iniciar sesión. Inténtalo de nuevo.',

  secondFactor: 'Confirma que eres tú',
  enterTotp: 'Escribe los seis dígitos que muestra tu aplicación de autenticación.',
  enterRecoveryCode: 'Escribe uno de los códigos de recuperación que guardaste. Cada uno sirve una vez.',
  usePasskeyNow: 'Confirma con tu llave de acceso.',
  recoveryCode: 'Código de recuperación',
  usePassword: 'Usar tu contraseña',
  useTotp: 'Usar un código de tu aplicación',
  useRecoveryCode: 'Usar un código de recuperación',
  usePasskey: 'Usar una llave de acceso',
  startAgain: 'Empezar de nuevo',

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

  confirmIdentity: 'Confirma que eres tú',
  confirmIdentityLead: 'Este cambio es delicado. Escribe tu contraseña otra vez.',
  confirmIdentityCode: 'Este cambio es delicado. Escribe un código de tu aplicación de autenticación.',
  confirmIdentityAgain: 'Este cambio es delicado. Cierra la sesión, vuelve a entrar y hazlo en un plazo de 15 minutos.',

  consentDone: 'El buzón está conectado',
  consentDoneText: 'Helpdesk lo lee desde ahora y envía por él. Puedes cerrar esta página.',
  consentNotDone: 'El buzón no está conectado',
  consentRefused:
    'El proveedor no ha dado acceso: alguien lo ha rechazado allí, o el registro del desk no es correcto.',
  consentExpired: 'Pide un enlace nuevo, o elige Conectar en los ajustes del buzón.',
  consentUnavailable: 'El proveedor no responde como debería. Inténtalo de nuevo en unos minutos.',
  toMailbox: 'Ir al buzón',

  newPassword: 'Contraseña nueva',
  savePassword: 'Guardar la contraseña',
  passwordHint: (least) => `Al menos ${least} caracteres. Unas palabras se recuerdan mejor que los signos.`,
  passwordShort: (least) => `Usa al menos ${least} caracteres.`,
  currentPasswordWrong: 'Esta no es tu contraseña actual.',
  passkeyCancelled: 'El navegador no ha usado ninguna llave de acceso. Inténtalo de nuevo.',
  oldBrowserPasskeys: 'Este navegador es demasiado antiguo para las llaves de acceso.',
};

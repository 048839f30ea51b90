// The messages in Spanish.

import type { Messages } from './en.ts';

export const messages: Messages = {
  close: 'Cerrar',
  cancel: 'Cancelar',
  tryAgain: 'Reintentar',
  language: 'Idioma',
  password: 'Contraseña',
  name: 'Nombre',
  showPassword: 'Mostrar la contraseña',
  code: 'Código',
  required: 'Rellena este campo.',
  nothingChosen: 'Ninguno',
  searchIn: (label: string) => `Buscar: ${label}`,
  noneFound: 'No se ha encontrado nada.',
  createOption: (text: string) => `Crear «${text}»`,
  requestId: 'Número de la solicitud:',
  copyFailed: 'No se ha podido copiar. Selecciona el texto y cópialo.',
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
  crossSite: (address) => `El desk tiene otra dirección que esta página. Ábrelo en ${address}.`,
  linkExpired: 'Este enlace ha caducado o ya se ha usado.',
  forbidden: 'No tienes permiso para hacer esto.',
  lastOwner: 'Eres el último propietario que puede iniciar sesión. Añade antes otra forma de iniciar sesión.',
  signedOut: 'Has cerrado la sesión. Inicia sesión de nuevo.',
  tooLarge: 'Es demasiado grande para el desk.',
  failed: 'Algo ha fallado en el desk. Inténtalo de nuevo.',
  emailRefused: 'Escribe una dirección de correo completa, por ejemplo ana@example.org.',
  nameRefused: 'Escribe un nombre de 255 caracteres como máximo.',
  passwordRefused: 'Elige otra contraseña. No puede ser habitual ni tu dirección de correo.',
  codeWrong: 'Este código no es correcto o ya se ha usado. Prueba con el siguiente.',

  or: 'o',
  noWayIn: 'Aquí no se puede iniciar sesión con contraseña. Pide ayuda al propietario de este desk.',

  confirm: 'Confirmar',
  challengeExpired: 'Ha pasado demasiado tiempo. Inicia sesión de nuevo.',

  profile: 'Perfil',
  skipToContent: 'Ir al contenido',
  signOut: 'Cerrar sesión',
  save: 'Guardar',

  mustAddFactor: 'Este desk exige un segundo factor. Configura una aplicación de autenticación o una llave de acceso.',

  insecurePasskeys: 'Los navegadores solo permiten llaves de acceso por https, y no en una dirección IP.',
};

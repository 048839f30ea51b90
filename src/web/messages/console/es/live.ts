// The messages about the connection, ended sessions and upgrades, in Spanish.

import type { LiveMessages } from '../en/live.ts';

export const messages: LiveMessages = {
  sessionIsOver: 'Tu sesión ha terminado. Lo que has escrito sigue aquí.',
  signInAgain: 'Iniciar sesión de nuevo',
  otherAgent: (own, other) =>
    `Esta página pertenece a ${own}, pero ${other} ha iniciado sesión. Inicia sesión como ${own} o recarga la página.`,
  otherSession: (own) => `Otra persona ha iniciado sesión, y esta página pertenece a ${own}. Recárgala para continuar.`,
  suggestPassword:
    'Has iniciado sesión con un enlace que sirve una vez. Con una contraseña no necesitarás otro enlace.',
  toSetPassword: 'Crear una contraseña',
  notNow: 'Ahora no',
  newVersion: 'Hay una nueva versión de Helpdesk.',
  reloadNow: 'Recargar ahora',
};

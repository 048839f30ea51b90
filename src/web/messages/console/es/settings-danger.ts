// The messages of a site's token and removal, and of new sites, in Spanish.

import type { SettingsDanger } from '../en/settings-danger.ts';

export const messages: SettingsDanger = {
  danger: 'Zona de riesgo',
  dangerLead: 'Lo que no se puede deshacer: un token nuevo para el sitio y su eliminación.',
  siteToken: 'Token del sitio',
  siteTokenText:
    'Tu aplicación abre tickets con él. Uno nuevo se muestra una sola vez; elige cuánto tiempo sigue valiendo el anterior.',
  makeToken: 'Crear un token nuevo',
  oldTokenFor: 'El token anterior vale durante',
  newTokenTitle: 'El token nuevo del sitio',
  newTokenText: 'Ponlo ahora en la configuración de tu aplicación. No se mostrará otra vez.',
  inboundSecretElsewhere: 'La dirección que llaman los proveedores de correo se renueva en',
  deleteSite: 'Eliminar este sitio',
  deleteTakes: (tickets) =>
    `Al eliminarlo se pierden: ${tickets}, sus archivos y todos los correos, ajustes y direcciones del sitio. Los agentes sin otro sitio ya no pueden iniciar sesión y los tokens solo de este sitio terminan. Solo una copia de seguridad lo devuelve.`,
  typeSlug: (slug) => `Escribe ${slug} para confirmar`,
  slugDiffers: 'No es el identificador del sitio.',
  siteWasDeleted: (name) => `Se eliminó ${name}. El resto de sus archivos desaparecerá en los próximos minutos.`,
  sitesOfDesk: 'Sitios',
  sitesLead: 'Un sitio es una tienda, una aplicación o una marca, con sus propios tickets, direcciones y aspecto.',
  addSite: 'Añadir un sitio',
  newSiteName: 'Nombre del sitio nuevo',
};

// The messages about the connection, ended sessions and upgrades, in English.

import type { Same } from '../../en.ts';

export const messages = {
  sessionIsOver: 'Your session has ended. What you typed is still here.',
  signInAgain: 'Sign in again',
  otherAgent: (own: string, other: string) =>
    `This page belongs to ${own}, but ${other} signed in. Sign in as ${own}, or reload the page.`,
  otherSession: (own: string) => `Someone else signed in, and this page belongs to ${own}. Reload it to go on.`,
  suggestPassword: 'You signed in by a link that works once. With a password you need no new link next time.',
  toSetPassword: 'Set a password',
  notNow: 'Not now',
  newVersion: 'A new version of Helpdesk is ready.',
  reloadNow: 'Reload now',
};

export type LiveMessages = Same<typeof messages>;

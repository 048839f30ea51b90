// The messages of signing in and of confirming the identity, in English.

import type { Same } from '../../en.ts';

export const messages = {
  email: 'E-mail',
  signIn: 'Sign in',
  signInTo: (desk: string) => `Sign in to ${desk}`,
  forgotPassword: 'Forgot your password?',
  signInWithPasskey: 'Sign in with a passkey',
  issuerDown: (label: string) => `“${label}” is not available at the moment, because its server does not answer.`,
  issuerDenied: (label: string) => `“${label}” was cancelled or refused.`,
  issuerUnverified: (label: string) => `“${label}” did not work, because your e-mail address is not verified there.`,
  issuerUnknown: 'No agent of this desk has your e-mail address. Ask an owner to invite you.',
  issuerInactive: 'Your account at this desk is turned off. Ask an owner.',
  issuerOther: (label: string) =>
    `“${label}” did not work, because the agent with your address uses another account there.`,
  deskIsNew: 'No owner can sign in to this desk yet. When it starts, it prints a link in the terminal.',
  signInFailed: 'Signing in did not work. Try again.',

  secondFactor: 'Confirm that it is you',
  enterTotp: 'Enter the six digits that your authenticator app shows.',
  enterRecoveryCode: 'Enter one of the recovery codes that you saved. Each works once.',
  usePasskeyNow: 'Confirm with your passkey.',
  recoveryCode: 'Recovery code',
  usePassword: 'Use your password',
  useTotp: 'Use a code from your app',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Use a passkey',
  startAgain: 'Start again',

  linkExpiredTitle: 'This link no longer works',
  linkMissing: 'The link is incomplete. Copy all of it, including the part after the # sign.',
  signInLinkNext: 'A sign-in link works once, within 15 minutes. Ask for a new one, or sign in with your password.',
  setupLinkNext: 'A setup link works once, until the desk restarts. Restart the desk to get a new one.',
  invitationLinkNext:
    'Invitations last seven days, and a new one replaces the old one. Ask the person who invited you.',
  resetLinkNext: 'A link for a new password works once, within an hour. You can ask for another one.',
  toSignIn: 'Go to sign-in',

  setupTitle: 'Set up your desk',
  setupLead: 'You will be its first owner. You can invite others later.',
  createDesk: 'Create the desk',
  invitationTitle: (desk: string) => `Welcome to ${desk}`,
  invitationLead: (email: string) => `You were invited as ${email}. Choose your name and a password.`,
  join: 'Join',

  resetTitle: 'Set a new password',
  resetLead: 'Enter your address. We will send you a link to choose a new password.',
  sendLink: 'Send the link',
  resetSentTitle: 'Check your mail',
  resetSent: (email: string) =>
    `If ${email} belongs to an agent, a link is on its way. It works for one hour. Look in your spam folder too.`,
  chooseNewPassword: 'Choose a new password',
  newPasswordLead: 'All other devices will be signed out.',

  confirmIdentity: 'Confirm that it is you',
  confirmIdentityLead: 'This is a sensitive change. Enter your password once more.',
  confirmIdentityCode: 'This is a sensitive change. Enter a code from your authenticator app.',
  confirmIdentityAgain: 'This is a sensitive change. Sign out, sign in again, and make it within 15 minutes.',

  consentDone: 'The mailbox is connected',
  consentDoneText: 'Helpdesk reads it and sends through it from now on. You can close this page.',
  consentNotDone: 'The mailbox is not connected',
  consentRefused: 'The provider gave no access: someone said no there, or the registration of the desk is not right.',
  consentExpired: 'Ask for a new link, or press Connect in the settings of the mailbox.',
  consentUnavailable: 'The provider does not answer as it should. Try it again in a few minutes.',
  toMailbox: 'Go to the mailbox',

  // Passwords and passkeys, here and in the profile
  newPassword: 'New password',
  savePassword: 'Save the password',
  passwordHint: (least: number) => `At least ${least} characters. A few words are easier to remember than symbols.`,
  passwordShort: (least: number) => `Use at least ${least} characters.`,
  currentPasswordWrong: 'This is not your current password.',
  passkeyCancelled: 'The browser did not use a passkey. Try again.',
  oldBrowserPasskeys: 'This browser is too old for passkeys.',
};

export type SignInMessages = Same<typeof messages>;

// The messages in English. The other languages have the same ones.

export const messages = {
  // Everywhere
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  language: 'Language',
  email: 'E-mail',
  password: 'Password',
  newPassword: 'New password',
  name: 'Name',
  showPassword: 'Show password',
  code: 'Code',
  required: 'Please fill in this field.',
  nothingChosen: 'None',
  searchIn: (label: string) => `Search: ${label}`,
  noneFound: 'Nothing found.',
  createOption: (text: string) => `Create “${text}”`,
  requestId: 'Request id:',
  saved: 'Saved.',
  copy: 'Copy',
  copied: 'Copied.',
  copyFailed: 'Copying did not work. Select the text and copy it yourself.',
  print: 'Print',
  remove: 'Remove',

  // Status of a ticket
  statusOpen: 'Open',
  statusPending: 'Pending',
  statusResolved: 'Resolved',
  statusClosed: 'Closed',

  // What went wrong
  offline: 'You are offline. Check your network connection and try again.',
  unreachable: 'The desk does not answer. Try again in a moment.',
  wrongCredentials: 'The e-mail address or password is wrong.',
  rateLimited: (wait: string) => `Too many attempts. You can try again in ${wait}.`,
  busy: 'The desk is busy. Try again in a moment.',
  crossSite: (address: string) =>
    `The desk refused the request because this page has another address. Open the desk at ${address}.`,
  linkExpired: 'This link has expired or was already used.',
  forbidden: 'You are not allowed to do this.',
  lastOwner: 'You are the last owner who can sign in. Add another way to sign in first.',
  signedOut: 'You are signed out. Sign in again.',
  failed: 'Something went wrong at the desk. Try again.',
  emailRefused: 'Enter a complete e-mail address, such as ana@example.org.',
  nameRefused: 'Enter a name of at most 255 characters.',
  passwordRefused: 'Choose another password. It must not be a common one or your e-mail address.',
  passwordShort: (least: number) => `Use at least ${least} characters.`,
  passwordHint: (least: number) => `At least ${least} characters. A few words are easier to remember than symbols.`,
  codeWrong: 'This code is wrong or was already used. Try the next one.',

  // Signing in
  signIn: 'Sign in',
  signInTo: (desk: string) => `Sign in to ${desk}`,
  forgotPassword: 'Forgot your password?',
  or: 'or',
  signInWithPasskey: 'Sign in with a passkey',
  issuerDown: (label: string) => `“${label}” is not available at the moment, because its server does not answer.`,
  issuerDenied: (label: string) => `“${label}” was cancelled or refused.`,
  issuerUnverified: (label: string) => `“${label}” did not work, because your e-mail address is not verified there.`,
  issuerUnknown: 'No agent of this desk has your e-mail address. Ask an owner to invite you.',
  issuerInactive: 'Your account at this desk is turned off. Ask an owner.',
  issuerOther: (label: string) =>
    `“${label}” did not work, because the agent with your address uses another account there.`,
  noWayIn: 'You cannot sign in with a password here. Ask the owner of this desk for help.',
  deskIsNew: 'No owner can sign in to this desk yet. When it starts, it prints a link in the terminal.',
  signInFailed: 'Signing in did not work. Try again.',

  // Second factor
  secondFactor: 'Confirm that it is you',
  enterTotp: 'Enter the six digits that your authenticator app shows.',
  enterRecoveryCode: 'Enter one of the recovery codes that you saved. Each works once.',
  usePasskeyNow: 'Confirm with your passkey.',
  recoveryCode: 'Recovery code',
  confirm: 'Confirm',
  usePassword: 'Use your password',
  useTotp: 'Use a code from your app',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Use a passkey',
  startAgain: 'Start again',
  challengeExpired: 'This took too long. Sign in again.',

  // Links
  linkExpiredTitle: 'This link no longer works',
  linkMissing: 'The link is incomplete. Copy all of it, including the part after the # sign.',
  signInLinkNext: 'A sign-in link works once, within 15 minutes. Ask for a new one, or sign in with your password.',
  setupLinkNext: 'A setup link works once, until the desk restarts. Restart the desk to get a new one.',
  invitationLinkNext:
    'Invitations last seven days, and a new one replaces the old one. Ask the person who invited you.',
  resetLinkNext: 'A link for a new password works once, within an hour. You can ask for another one.',
  toSignIn: 'Go to sign-in',

  // Setup and invitation
  setupTitle: 'Set up your desk',
  setupLead: 'You will be its first owner. You can invite others later.',
  createDesk: 'Create the desk',
  invitationTitle: (desk: string) => `Welcome to ${desk}`,
  invitationLead: (email: string) => `You were invited as ${email}. Choose your name and a password.`,
  join: 'Join',

  // Forgotten password
  resetTitle: 'Set a new password',
  resetLead: 'Enter your address. We will send you a link to choose a new password.',
  sendLink: 'Send the link',
  resetSentTitle: 'Check your mail',
  resetSent: (email: string) =>
    `If ${email} belongs to an agent, a link is on its way. It works for one hour. Look in your spam folder too.`,
  chooseNewPassword: 'Choose a new password',
  newPasswordLead: 'All other devices will be signed out.',
  savePassword: 'Save the password',

  // Profile
  profile: 'Profile',
  skipToContent: 'Skip to the content',
  signOut: 'Sign out',
  save: 'Save',

  // Password
  currentPasswordWrong: 'This is not your current password.',

  // Authenticator app
  mustAddFactor: 'This desk requires a second factor. Set up an authenticator app or a passkey to continue.',

  // Passkeys
  passkeyCancelled: 'The browser did not use a passkey. Try again when you are ready.',
  insecurePasskeys: 'Browsers allow passkeys only over https, and not at an IP address.',
  oldBrowserPasskeys: 'This browser is too old for passkeys.',

  // Confirming the identity
  confirmIdentity: 'Confirm that it is you',
  confirmIdentityLead: 'This is a sensitive change. Enter your password once more.',
  confirmIdentityCode: 'This is a sensitive change. Enter a code from your authenticator app.',
  confirmIdentityAgain: 'This is a sensitive change. Sign out, sign in again, and make it within 15 minutes.',
};

type Widened<Value> = Value extends string ? string : Value;

/** What another language must have: the same names, and the same parameters. */
export type Same<Texts> = { readonly [Name in keyof Texts]: Widened<Texts[Name]> };

export type Messages = Same<typeof messages>;

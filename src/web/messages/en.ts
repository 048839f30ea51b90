// The messages in English. The other languages have the same ones.

export const messages = {
  // Everywhere
  close: 'Close',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  language: 'Language',
  password: 'Password',
  name: 'Name',
  showPassword: 'Show password',
  code: 'Code',
  required: 'Please fill in this field.',
  nothingChosen: 'None',
  searchIn: (label: string) => `Search: ${label}`,
  noneFound: 'Nothing found.',
  createOption: (text: string) => `Create “${text}”`,
  requestId: 'Request id:',
  copyFailed: 'Copying did not work. Select the text and copy it yourself.',
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
  crossSite: (address: string) => `The desk has another address than this page. Open it at ${address}.`,
  linkExpired: 'This link has expired or was already used.',
  forbidden: 'You are not allowed to do this.',
  lastOwner: 'You are the last owner who can sign in. Add another way to sign in first.',
  signedOut: 'You are signed out. Sign in again.',
  tooLarge: 'That is too large for the desk.',
  failed: 'Something went wrong at the desk. Try again.',
  emailRefused: 'Enter a complete e-mail address, such as ana@example.org.',
  nameRefused: 'Enter a name of at most 255 characters.',
  passwordRefused: 'Choose another password. It must not be a common one or your e-mail address.',
  codeWrong: 'This code is wrong or was already used. Try the next one.',

  // Signing in
  or: 'or',
  noWayIn: 'You cannot sign in with a password here. Ask the owner of this desk for help.',

  // Second factor
  confirm: 'Confirm',
  challengeExpired: 'This took too long. Sign in again.',

  // Profile
  profile: 'Profile',
  skipToContent: 'Skip to the content',
  signOut: 'Sign out',
  save: 'Save',

  // Authenticator app
  mustAddFactor: 'This desk requires a second factor. Set up an authenticator app or a passkey.',

  // Passkeys
  insecurePasskeys: 'Browsers allow passkeys only over https, and not at an IP address.',
};

type Widened<Value> = Value extends string ? string : Value;

/** What another language must have: the same names, and the same parameters. */
export type Same<Texts> = { readonly [Name in keyof Texts]: Widened<Texts[Name]> };

export type Messages = Same<typeof messages>;

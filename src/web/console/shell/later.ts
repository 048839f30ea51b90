// Dialogs that are shown later. Together they are one file for browsers: many small ones would compress worse.

export { ConfirmIdentity } from '../../shared/confirm-identity.tsx';
export { TicketPicker } from '../list/ticket-picker.tsx';
export { SuggestPassword } from '../live/suggest-password.tsx';
export { Palette } from '../palette/palette.tsx';
export { Help } from '../shortcuts/help.tsx';
export { NameView } from '../views/name-view.tsx';
export { SignInAgain } from './sign-in-again.tsx';

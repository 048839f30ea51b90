// What loads after the list: dialogs, filters, bulk actions and the text of an empty list. Together they are one file for browsers: many small ones would compress worse.
// A page that shares some of its modules imports all of it: otherwise what they share is cut in pieces, which the list begins with.

export { ConfirmIdentity } from '../../shared/confirm-identity.tsx';
export { BulkBar } from '../list/bulk/bulk-bar.tsx';
export { TicketPicker } from '../list/bulk/ticket-picker.tsx';
export { DisplayChoices } from '../list/display/display-choices.tsx';
export { EmptyList } from '../list/empty-list.tsx';
export { FilterChips } from '../list/filters/filter-chips.tsx';
export { FilterMenu } from '../list/filters/filter-menu.tsx';
export { LiveBar } from '../live/live-bars.tsx';
export { Bell } from '../notifications/bell.tsx';
export { Palette } from '../palette/palette.tsx';
export { completed, completionsAt } from '../search/completion.ts';
export { parseSearch } from '../search/language.ts';
export { Marked } from '../search/marked.tsx';
export { searchNames } from '../search/names.ts';
export { SearchPanel } from '../search/search-panel.tsx';
export { SearchProblems } from '../search/search-problems.tsx';
export { Help } from '../shortcuts/help.tsx';
export { ViewMenu } from '../views/view-menu.tsx';
export { AgentMenu } from './agent-menu.tsx';
export { Drawer } from './drawer.tsx';
export { SignInAgain } from './sign-in-again.tsx';
export { Toasts } from './toasts.tsx';

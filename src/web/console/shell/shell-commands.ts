// What can be done on every page: going somewhere, searching, help and undo.

import { useCommands } from '../commands.ts';
import { go } from '../route.ts';
import { can, chooseSite, chosenSite, visibleSites } from '../session.ts';
import { canTakeBack, takeBack } from '../undo.ts';
import { savedViews, viewName, viewPath, views } from '../views/views.ts';
import { t } from './messages.ts';
import { openOverlay } from './overlays.ts';
import { focusSearch } from './search-field.ts';
import { signOut } from './sign-out.ts';
import { chooseTheme, themeTexts } from './theme.ts';

const viewKeys: Record<string, string> = {
  mine: 'g m',
  mentions: 'g i',
  drafts: 'g f',
  unassigned: 'g u',
  open: 'g o',
  'due-soon': 'g d',
  breached: 'g b',
  pending: 'g p',
  snoozed: 'g z',
  resolved: 'g e',
  all: 'g a',
  'held-mail': 'g h',
};

export function useShellCommands(): void {
  const shown = views.value ?? [];
  const sites = visibleSites.value;
  useCommands('anywhere', [
    {
      id: 'palette',
      title: t.commandPalette,
      keys: ['Mod+k'],
      isWhileTyping: true,
      isOnlyByKey: true,
      run: () => openOverlay('palette'),
    },
    { id: 'search', title: t.search, keys: ['/'], run: focusSearch },
    {
      id: 'undo',
      title: t.undo,
      keys: ['Mod+z'],
      isAvailable: canTakeBack,
      run: () => void takeBack(),
    },
    {
      id: 'new-ticket',
      title: t.newTicket,
      keys: ['c'],
      run: () => go('/tickets/new'),
      isAvailable: () => can('write'),
    },
    { id: 'help', title: t.keyboardShortcuts, keys: ['?'], run: () => openOverlay('help') },
    ...shown.map((view) => {
      const place = savedViews.value.indexOf(view) + 1;
      const keys = view.id === null ? viewKeys[view.key] : place < 10 ? `g ${place}` : undefined;
      return {
        id: `view:${view.key}`,
        title: t.goTo(viewName(view)),
        ...(keys === undefined ? {} : { keys: [keys] }),
        run: () => go(viewPath(view.key)),
      };
    }),
    { id: 'customers', title: t.goTo(t.customersPage), keys: ['g c'], run: () => go('/customers') },
    { id: 'reports', title: t.goTo(t.reports), keys: ['g r'], run: () => go('/reports') },
    { id: 'settings', title: t.goTo(t.settings), keys: ['g s'], run: () => go('/settings') },
    { id: 'profile', title: t.goTo(t.profile), run: () => go('/profile') },
    ...(sites.length < 2
      ? []
      : [
          {
            id: 'site:all',
            title: t.showSite(t.allSites),
            isAvailable: () => chosenSite.peek() !== null,
            run: () => chooseSite(null),
          },
          ...sites.map(({ id, name }) => ({
            id: `site:${id}`,
            title: t.showSite(name),
            isAvailable: () => chosenSite.peek() !== id,
            run: () => chooseSite(id),
          })),
        ]),
    ...themeTexts().map(({ theme, text }) => ({
      id: `theme:${theme}`,
      title: text,
      run: () => void chooseTheme(theme),
    })),
    { id: 'sign-out', title: t.signOut, run: () => void signOut() },
  ]);
}

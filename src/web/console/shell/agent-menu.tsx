// The agent's own menu at the end of the rail.

import { Menu } from '../../shared/menu.tsx';
import { storedTheme } from '../../shared/preferences.ts';
import { go } from '../route.ts';
import { me, session } from '../session.ts';
import { initials } from './initials.ts';
import { t } from './messages.ts';
import { closeOverlay, openOverlay } from './overlays.ts';
import { signOut } from './sign-out.ts';
import { chooseTheme, themeTexts } from './theme.ts';

export function AgentMenu() {
  const name = me.value?.name ?? session.value?.agent.name ?? '';
  const current = storedTheme();
  return (
    <Menu
      label={t.agentMenu(name)}
      buttonClass="agent-menu"
      placement={{ side: 'above' }}
      items={[
        {
          text: t.profile,
          run: () => {
            closeOverlay();
            go('/profile');
          },
        },
        { text: t.keyboardShortcuts, keys: '?', run: () => openOverlay('help') },
        ...themeTexts().map(({ theme, text }, index) => ({
          text,
          isChecked: theme === current,
          isApart: index === 0,
          run: () => void chooseTheme(theme),
        })),
        { text: t.signOut, isApart: true, run: () => void signOut() },
      ]}
    >
      <span class="avatar" data-initials={initials(name)} />
      <span class="rail-name">{name}</span>
    </Menu>
  );
}

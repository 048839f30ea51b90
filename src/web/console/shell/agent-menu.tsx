// The agent's own menu at the end of the rail: profile, being away, theme and sign-out.

import { now } from '../../shared/clock.ts';
import { Menu } from '../../shared/menu.tsx';
import { announce, announceRefusal } from '../../shared/notices.tsx';
import { storedTheme } from '../../shared/preferences.ts';
import { t } from '../on-demand-messages.ts';
import { go } from '../route.ts';
import { me, session } from '../session.ts';
import { awayText } from '../tickets/away.ts';
import { setAvailability } from './availability.ts';
import { initials } from './initials.ts';
import { closeOverlay, openOverlay } from './overlays.ts';
import { signOut } from './sign-out.ts';
import { chooseTheme, themeTexts } from './theme.ts';

async function say(wanted: Parameters<typeof setAvailability>[0]): Promise<void> {
  const answer = await setAvailability(wanted);
  if (!answer.isOk) announceRefusal(answer.refusal);
  else announce(wanted.is_available ? t.youAreBack : t.youAreAway);
}

function awayItems() {
  const at = new Date(now());
  const inAnHour = new Date(at.getTime() + 3_600_000);
  const tomorrow = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 8);
  const away = (until: Date | null) => void say({ is_available: false, until: until?.toISOString() ?? null });
  return [
    { text: t.awayForAnHour, isApart: true, run: () => away(inAnHour) },
    { text: t.awayUntilTomorrow, run: () => away(tomorrow) },
    { text: t.awayUntilISaySo, run: () => away(null) },
  ];
}

export function AgentMenu() {
  const name = me.value?.name ?? session.value?.agent.name ?? '';
  const current = storedTheme();
  const own = session.value?.agent;
  const away = own === undefined ? null : awayText(own);
  return (
    <Menu
      label={away === null ? t.agentMenu(name) : `${t.agentMenu(name)}, ${away}`}
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
        ...(away === null
          ? awayItems()
          : [{ text: t.iAmBack, isApart: true, run: () => void say({ is_available: true }) }]),
        { text: t.keyboardShortcuts, isApart: true, keys: '?', run: () => openOverlay('help') },
        ...themeTexts().map(({ theme, text }, index) => ({
          text,
          isChecked: theme === current,
          isApart: index === 0,
          run: () => void chooseTheme(theme),
        })),
        { text: t.signOut, isApart: true, run: () => void signOut() },
      ]}
    >
      <span class={away === null ? 'avatar' : 'avatar is-away'} data-initials={initials(name)} />
      <span class="rail-name">
        {name}
        {away !== null && (
          <span class="away-note" title={away}>
            {away}
          </span>
        )}
      </span>
    </Menu>
  );
}

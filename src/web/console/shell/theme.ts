// Changes the theme: immediately in this browser, and on the desk for the next one.

import { type Theme, themes } from '../../../domain/people/preferences.ts';
import { announceRefusal } from '../../shared/notices.tsx';
import { storeTheme } from '../../shared/preferences.ts';
import { ask } from '../../shared/signed-in.ts';
import type { Me } from '../../shared/wire.ts';
import { me } from '../session.ts';
import { t } from './messages.ts';

export function themeTexts(): { theme: Theme; text: string }[] {
  const texts: Record<Theme, string> = { system: t.useSystemTheme, light: t.useLightTheme, dark: t.useDarkTheme };
  return themes.map((theme) => ({ theme, text: texts[theme] }));
}

export async function chooseTheme(theme: Theme): Promise<void> {
  storeTheme(theme);
  const answer = await ask<{ data: Me }>('PATCH', '/me', { theme });
  if (answer.isOk) me.value = answer.data.data;
  else announceRefusal(answer.refusal);
}

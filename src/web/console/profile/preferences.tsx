// Locale, theme, time zone and shortcuts, which the desk stores, and the density of lists in this browser. Each choice is saved immediately.

import type { Locale, Theme } from '../../../domain/people/preferences.ts';
import { ChoiceField, SwitchField } from '../../shared/field.tsx';
import { isLanguage, language, languageNames } from '../../shared/messages.ts';
import { SubmissionNotice } from '../../shared/notices.tsx';
import { storedTheme, storeTheme } from '../../shared/preferences.ts';
import { chooseLanguage } from '../../shared/start.tsx';
import { chooseDensity, type Density, density } from '../list/display/display.ts';
import { t } from './messages.ts';
import { useSaving } from './save.ts';
import { Section } from './section.tsx';
import type { Profile } from './state.ts';

const automatic = '';

export function Preferences({ profile }: { profile: Profile }) {
  const { submission, save } = useSaving();
  const { locale, time_zone: timeZone, shortcuts } = profile.me;
  const themeTexts: Record<Theme, string> = { system: t.themeSystem, light: t.themeLight, dark: t.themeDark };
  const densityTexts: Record<Density, string> = { comfortable: t.densityComfortable, compact: t.densityCompact };
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
  return (
    <Section id="preferences" title={t.preferences} lead={t.preferencesLead}>
      <div class="choices">
        <SubmissionNotice submission={submission} />
        <ChoiceField<Locale>
          label={t.language}
          value={isLanguage(locale) ? locale : language()}
          options={(Object.keys(languageNames) as Locale[]).map((value) => ({ value, text: languageNames[value] }))}
          onValue={(value) => {
            void chooseLanguage(value);
            void save({ locale: value });
          }}
        />
        <ChoiceField<Theme>
          label={t.theme}
          value={storedTheme()}
          options={Object.entries(themeTexts).map(([value, text]) => ({ value: value as Theme, text }))}
          onValue={(value) => {
            storeTheme(value);
            void save({ theme: value });
          }}
        />
        <ChoiceField<string>
          label={t.timeZone}
          value={timeZone ?? automatic}
          options={[{ value: automatic, text: t.timeZoneAutomatic }, ...zones]}
          onValue={(value) => void save({ time_zone: value === automatic ? null : value })}
        />
        <ChoiceField<Density>
          label={t.density}
          hint={t.onlyThisBrowser}
          value={density.value}
          options={Object.entries(densityTexts).map(([value, text]) => ({ value: value as Density, text }))}
          onValue={chooseDensity}
        />
        <SwitchField
          label={t.shortcuts}
          hint={t.shortcutsHint}
          value={shortcuts}
          onValue={(isOn) => void save({ shortcuts: isOn })}
        />
      </div>
    </Section>
  );
}

// Language, theme and time zone. A choice is saved at once.

import { ChoiceField } from '../shared/field.tsx';
import { isLanguage, type Language, language, languageNames, t } from '../shared/messages.ts';
import { announce, SubmissionNotice } from '../shared/notices.tsx';
import { storedTheme, storeTheme, type Theme } from '../shared/preferences.ts';
import { ask } from '../shared/signed-in.ts';
import { chooseLanguage } from '../shared/start.tsx';
import { useSubmission } from '../shared/submission.ts';
import { Section } from './section.tsx';
import { loadProfile, type Profile } from './state.ts';

const ofDesk = '';

export function Preferences({ profile }: { profile: Profile }) {
  const submission = useSubmission();
  const { locale, time_zone: timeZone } = profile.me;

  async function save(change: Record<string, string | null>): Promise<void> {
    if ((await submission.send(() => ask('PATCH', '/me', change))) === null) return;
    await loadProfile();
    announce(t.saved);
  }

  const themeTexts: Record<Theme, string> = { system: t.themeSystem, light: t.themeLight, dark: t.themeDark };
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }));
  return (
    <Section id="preferences" title={t.preferences} lead={t.preferencesLead}>
      <div class="choices">
        <SubmissionNotice submission={submission} />
        <ChoiceField<Language>
          label={t.language}
          value={isLanguage(locale) ? locale : language()}
          options={(Object.keys(languageNames) as Language[]).map((value) => ({ value, text: languageNames[value] }))}
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
          value={timeZone ?? ofDesk}
          options={[{ value: ofDesk, text: t.timeZoneOfDesk }, ...zones]}
          onValue={(value) => void save({ time_zone: value === ofDesk ? null : value })}
        />
      </div>
    </Section>
  );
}

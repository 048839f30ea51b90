// Finds sections of the settings by their titles, by what they set, and by other words for it.

import { labelled } from '../../shared/labelled.ts';
import { fitOf } from '../palette/ranking.ts';
import { t } from './messages.ts';
import { shownGroups } from './sections.ts';
import { settingsPath } from './settings-route.ts';

interface FoundSection {
  id: string;
  title: string;
  /** What of it was found, unless it was its title. */
  detail: string | null;
  path: string;
}

/** Only what the agent may see; the best first. */
export function findSections(typed: string): FoundSection[] {
  if (typed.trim() === '') return [];
  const found = shownGroups()
    .flatMap(({ sections }) => sections)
    .map(({ id, title, words }) => {
      const byTitle = fitOf(title(), typed);
      const phrases = words()
        .split(',')
        .map((phrase) => ({ phrase: phrase.trim(), fit: fitOf(phrase.trim(), typed) }))
        // Letters in their order say little about a word that is not seen as a whole.
        .filter(({ fit }) => fit > 2)
        .sort((one, other) => other.fit - one.fit);
      const [best] = phrases;
      const isByTitle = byTitle >= (best?.fit ?? 0);
      return {
        fit: Math.max(byTitle * 2, best?.fit ?? 0),
        section: { id, title: title(), detail: isByTitle ? null : (best?.phrase ?? null), path: settingsPath(id) },
      };
    });
  return found
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .map(({ section }) => section);
}

/** For the palette: with the settings in front. */
export const settingsChoices = (typed: string) =>
  findSections(typed).map(({ id, title, detail, path }) => ({
    id: `settings:${id}`,
    title: labelled(t.settings, title),
    ...(detail === null ? {} : { detail }),
    path,
  }));

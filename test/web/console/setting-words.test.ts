// The words by which settings are found: what people type who come from another desk.

import { expect, test } from 'bun:test';
import { fitOf } from '../../../src/web/console/palette/ranking.ts';
import { messages as de } from '../../../src/web/messages/console/de/settings-search.ts';
import { messages as en } from '../../../src/web/messages/console/en/settings-search.ts';
import { messages as es } from '../../../src/web/messages/console/es/settings-search.ts';
import { messages as fr } from '../../../src/web/messages/console/fr/settings-search.ts';
import { messages as nl } from '../../../src/web/messages/console/nl/settings-search.ts';

const languages = { de, en, es, fr, nl };

test.each([
  ['en', 'business hours', 'wordsWorkingHours'],
  ['en', 'timezone', 'wordsWorkingHours'],
  ['en', 'workflow', 'wordsTriggers'],
  ['en', 'color', 'wordsCustomersPages'],
  ['en', 'contact form', 'wordsCustomersPages'],
  ['en', 'autoresponder', 'wordsTemplates'],
  ['en', 'virus', 'wordsSystem'],
  ['de', 'Geschäftszeiten', 'wordsWorkingHours'],
  ['de', 'Backup', 'wordsSystem'],
  ['de', 'Unterschrift', 'wordsSignatures'],
  ['de', 'Agenten', 'wordsPeople'],
  ['fr', 'clé API', 'wordsTokens'],
  ['fr', 'horaires', 'wordsWorkingHours'],
  ['es', 'horario laboral', 'wordsWorkingHours'],
  ['nl', 'werktijden', 'wordsWorkingHours'],
  ['en', 'footer', 'wordsTemplates'],
  ['en', 'bounce', 'wordsMailTrace'],
  ['en', 'survey', 'wordsTemplates'],
  ['en', 'file size', 'wordsGeneral'],
  ['en', 'logs', 'wordsSystem'],
  ['en', 'upgrade', 'wordsSystem'],
  ['en', 'close tickets', 'wordsTimedRules'],
  ['en', 'escalate', 'wordsTriggers'],
  ['en', 'remove site', 'wordsDanger'],
  ['en', 'delete account', 'wordsPeople'],
  ['de', 'Mitarbeiter', 'wordsPeople'],
  ['de', 'Protokoll', 'wordsAudit'],
  ['de', 'Weiterleitung', 'wordsRules'],
  ['de', 'Fußzeile', 'wordsTemplates'],
  ['nl', 'sjabloon', 'wordsTemplates'],
  ['nl', 'postvak', 'wordsMailboxes'],
  ['nl', 'termijn', 'wordsSla'],
  ['es', 'borrar', 'wordsDanger'],
  ['es', 'encuesta', 'wordsTemplates'],
  ['fr', 'pourriel', 'wordsSpam'],
  ['fr', 'délai', 'wordsSla'],
  ['fr', 'mise à jour', 'wordsSystem'],
] as const)('in %s, “%s” finds %s', (language, typed, section) => {
  const phrases = languages[language][section].split(',');
  expect(phrases.some((phrase) => fitOf(phrase.trim(), typed) > 2)).toBe(true);
});

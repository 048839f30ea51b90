// One word for one thing: what agents read in each language, and what they must not read instead.

import { describe, expect, test } from 'bun:test';

const root = new URL('../../src/web/messages/', import.meta.url).pathname;
const languages = ['en', 'de', 'nl', 'fr', 'es'] as const;
type Language = (typeof languages)[number];

/** Each word begins like this wherever the thing is named. `never` has what else people call it. */
const terms: Record<
  string,
  { in: readonly string[]; never?: Partial<Record<Language, RegExp>> } & Record<Language, string>
> = {
  customer: {
    in: ['customer', 'unknownAuthor', 'noAuthor', 'noRecipient'],
    en: 'customer',
    de: 'kunde',
    nl: 'klant',
    fr: 'client',
    es: 'client',
    never: { en: /\bauthors?\b/i, de: /Verfasser|Autor\b/, nl: /auteur/i, fr: /auteur/i, es: /\bautor\b/i },
  },
  agent: {
    in: ['onlyAgents', 'noteHint', 'ledgerAnswered', 'issuerUnknown'],
    en: 'agent',
    de: 'agent',
    nl: 'medewerker',
    fr: 'agent',
    es: 'agent',
    never: { de: /Mitarbeiter/, nl: /\bagent/i },
  },
  colleague: {
    in: ['colleagues', 'shareView', 'noticeMentioned'],
    en: 'colleague',
    de: 'kolleg',
    nl: 'collega',
    fr: 'collègue',
    es: 'colega',
    never: { es: /compañer/i },
  },
  site: {
    in: ['site', 'allSites', 'eraseText'],
    en: 'site',
    de: 'site',
    nl: 'site',
    fr: 'site',
    es: 'sitio',
    never: { de: /Standort/ },
  },
  tag: {
    in: ['tags', 'mergeLead', 'tagRefused'],
    en: 'tag',
    de: 'schlagw',
    nl: 'label',
    fr: 'étiquette',
    es: 'etiqueta',
    never: { de: /\bTags\b/, nl: /\btags?\b/i, fr: /\btags?\b/i, es: /\btags?\b/i },
  },
  mail: {
    in: ['heldMail', 'viewHeldMail', 'byMail', 'deliverySent'],
    en: 'mail',
    de: 'mail',
    nl: 'mail',
    fr: 'e-mail',
    es: 'correo',
    never: { fr: /courriel/i },
  },
  snooze: {
    in: ['snooze', 'snooze', 'isSnoozed', 'stagedSnooze', 'viewSnoozed'],
    en: 'snooze',
    de: 'zurück',
    nl: 'uit',
    fr: 'report',
    es: 'posp',
    never: { nl: /sluimer/i, fr: /\bveille/i },
  },
  spam: {
    in: ['spam', 'markSpam', 'actionSpam', 'ledgerSpam'],
    en: 'spam',
    de: 'spam',
    nl: 'spam',
    fr: 'indésirable',
    es: 'spam',
  },
  merge: {
    in: ['merge', 'actionMerge', 'ticketMerged', 'mergedFrom'],
    en: 'merge',
    de: 'zusammen',
    nl: 'samen',
    fr: 'fusion',
    es: 'fusion',
    never: { es: /combin/i },
  },
  assign: {
    in: ['assign', 'stagedAssignee', 'assignToMe'],
    en: 'assign',
    de: 'zuweisen',
    nl: 'toewijzen',
    fr: 'attribuer',
    es: 'asign',
    never: { fr: /\bassigner/i },
  },
  pending: {
    in: ['statusPending', 'viewPending'],
    en: 'pending',
    de: 'wartend',
    nl: 'in de wacht',
    fr: 'en attente',
    es: 'pendient',
    never: { nl: /In afwachting|In wacht\b/ },
  },
  paused: {
    in: ['duePaused', 'slaPaused', 'duePaused'],
    en: 'paused',
    de: 'pausiert',
    nl: 'gepauzeerd',
    fr: 'en pause',
    es: 'en pausa',
  },
  'first response': {
    in: ['dueFirstResponse', 'dueFirstResponse', 'sortFirstResponse', 'breachedFirst'],
    en: 'first response',
    de: 'erste antwort',
    nl: 'eerste antwoord',
    fr: 'première réponse',
    es: 'primera respuesta',
    never: { nl: /eerste reactie/i },
  },
  comfortable: {
    in: ['comfortable', 'densityComfortable'],
    en: 'comfortable',
    de: 'luftig',
    nl: 'ruim',
    fr: 'aérée',
    es: 'amplia',
  },
  note: {
    in: ['note', 'noteBadge', 'addNote', 'noteAdded', 'writeNote'],
    en: 'note',
    de: 'notiz',
    nl: 'notitie',
    fr: 'note',
    es: 'nota',
  },
};

const say = (message: unknown): string =>
  typeof message === 'string' ? message : (message as (...given: string[]) => string)('‹1›', '‹2›', '‹3›');

async function textsOf(language: Language): Promise<Map<string, string>> {
  const paths = [`${language}.ts`, ...new Bun.Glob(`{console,sign-in}/${language}/*.ts`).scanSync(root)];
  const parts = await Promise.all(paths.map(async (path) => (await import(root + path)).messages as object));
  return new Map(parts.flatMap((part) => Object.entries(part).map(([name, text]) => [name, say(text)])));
}

describe.each(languages)('in %s', (language) => {
  test.each(Object.entries(terms))('%s has one word', async (_, term) => {
    const texts = await textsOf(language);
    for (const name of term.in)
      expect([name, texts.get(name)?.toLowerCase()]).toEqual([name, expect.stringContaining(term[language])]);
    const never = term.never?.[language];
    if (never === undefined) return;
    // The words by which settings are found are those that people may type.
    const shown = [...texts].filter(([name]) => !name.startsWith('words'));
    expect(shown.filter(([, text]) => never.test(text))).toEqual([]);
  });

  test('agents are addressed in one way', async () => {
    const others: Record<Language, RegExp> = {
      en: /\bthou\b/i,
      de: /\b(?:du|dich|dir|dein\w*)\b/,
      nl: /\b(?:[Uu]|[Uu]w|uwe)\b/,
      fr: /(?<!\p{L})(?:tu|toi|ton|tes)(?!\p{L})/iu,
      es: /\b(?:usted|le ha|no ha enviado|[Ee]lija|[Ee]scriba|[Pp]ruebe|[Tt]ome|[Pp]ida|[Qq]uite|[Dd]iga|[Cc]ree) /,
    };
    expect([...(await textsOf(language))].filter(([, text]) => others[language].test(text))).toEqual([]);
  });

  test('quotation marks are those of the language', async () => {
    const others: Record<Language, RegExp> = { en: /[«»„]/, de: /[«»]|“\w/, nl: /[«»„‘]/, fr: /[„“”]/, es: /[„“”]/ };
    expect([...(await textsOf(language))].filter(([, text]) => others[language].test(text))).toEqual([]);
  });
});

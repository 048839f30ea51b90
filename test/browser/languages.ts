// In which languages the walks over every screen go: two, and all of them with HELPDESK_TEST_LONG=1.

/** English, whose words tests name, and German, whose words are the longest. */
const usual = ['en-GB', 'de-DE'];

export const languages: readonly string[] =
  process.env.HELPDESK_TEST_LONG === '1' ? [...usual, 'nl-NL', 'fr-FR', 'es-ES'] : usual;

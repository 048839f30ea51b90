// How much a site may be set up with. Each list is read for a ticket, a mail or an event, so each has an end.

/** Rows of each list. Whoever has more from an older version keeps them, and adds none. */
export const mostOnSite = {
  category: 500,
  priority: 100,
  'custom field': 100,
  /** Each event may queue one delivery for every channel. */
  'webhook channel': 100,
  'inbound rule': 500,
} as const;

/** Of the whole desk: each is looked through for a mail that agents answer, and for whose turn it is. */
export const mostAgents = 1000;

/**
 * What the switched-on rules of a site may cost together, in the units of `rule-cost.ts`. A unit is about one step of a
 * regular expression in a thousand characters: this much fits into the time that a message has, in the usual case.
 */
export const mostRuleCost = 500_000;

/** Processor time that all rules together have for one message. */
export const ruleTimeMs = 250;
/** What one message may set off by rules: so many forwards, so many notes, and metadata by so many rules. */
export const mostForwards = 20;
export const mostRuleNotes = 20;
export const mostMetadataRules = 50;
/** Metadata of a ticket, as JSON. */
export const mostMetadataCharacters = 16 * 1024;

// Limits on how much a desk can be set up with. Each list is read for every ticket, mail or event.

/** Rows per list. A site with more rows from an older version keeps them, and cannot add any. */
export const mostOnSite = {
  category: 500,
  priority: 100,
  'custom field': 100,
  /** One event may queue a delivery for every channel. */
  'webhook channel': 100,
  'inbound rule': 500,
} as const;

// Agents are searched for the sender of each mail, and for the next turn.
export const mostAgents = 1000;

/** A unit is about one step of a regular expression in a thousand characters; this many usually fit into `ruleTimeMs`. */
export const mostRuleCost = 500_000;

/** Processor time for all rules together, per message. */
export const ruleTimeMs = 250;
/** What rules can do for one message: forwards, notes, and rules that set metadata. */
export const mostForwards = 20;
export const mostRuleNotes = 20;
export const mostMetadataRules = 50;
/** Metadata of a ticket, as JSON. */
export const mostMetadataCharacters = 16 * 1024;

/** Characters of a password. The upper limit leaves room for any passphrase. */
export const passwordLength = { least: 10, most: 256 } as const;

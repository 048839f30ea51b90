// Limits on how much a desk can be set up with. Each list is read for every ticket, mail or event.

export const mostOnSite = {
  category: 500,
  priority: 100,
  'custom field': 100,
  'webhook channel': 100,
  'inbound rule': 500,
} as const;

export const mostMacros = { shared: 500, own: 200, imported: 10_000 } as const;

export const mostAgents = 1000;
export const mostTokens = 10_000;

/** For replies that are sent later. */
export const sendLimits = { holdSeconds: 60, aheadDays: 90, onTicket: 50 } as const;

export const mostMentions = 50;

/** Of tickets that are merged or split: that is one step, and all their words are indexed again. */
export const mostMessagesToMove = 2000;

/** A unit is about one step of a regular expression in a thousand characters; this many usually fit into `ruleTimeMs`. */
export const mostRuleCost = 500_000;

export const ruleTimeMs = 250;
export const mostForwards = 20;
export const mostRuleNotes = 20;
export const mostMetadataRules = 50;
export const mostMetadataCharacters = 16 * 1024;

export const mostPasskeys = 20;

/** Characters of a password. The upper limit leaves room for any passphrase. */
export const passwordLength = { least: 10, most: 256 } as const;

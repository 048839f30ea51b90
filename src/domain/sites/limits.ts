// Limits on how much a desk can be set up with. Each list is read for every ticket, mail or event.

export const mostOnSite = {
  category: 500,
  priority: 100,
  'custom field': 100,
  sender: 100,
  mailbox: 50,
  'webhook channel': 100,
  'inbound rule': 500,
  trigger: 200,
  'timed rule': 100,
  'recurring ticket': 50,
} as const;

export const mostMacros = { shared: 500, own: 200, imported: 10_000 } as const;

export const mostAgents = 1000;
export const mostTeams = 100;
export const mostInTeam = 200;
export const mostTokens = 10_000;

/** For replies that are sent later. */
export const sendLimits = { holdSeconds: 60, aheadDays: 90, onTicket: 50 } as const;

export const mostMentions = 50;
export const mostTeamMentions = 3;
/** Of one message, with the members of teams. */
export const mostMentioned = mostMentions + mostTeamMentions * mostInTeam;

export const mostFilesOfMessage = 20;

/** Of tickets that are merged or split: that is one step, and all their words are indexed again. */
export const mostMessagesToMove = 2000;

/** For so long, a merge can be undone. */
export const unmergeDays = 30;

/** In the values of all rules of a site. */
export const mostRuleCharacters = 2_000_000;
/** For all rules on one message. */
export const ruleTimeMs = 250;
export const mostForwards = 20;
export const mostRuleNotes = 20;
export const mostMetadataRules = 50;
export const mostMetadataCharacters = 16 * 1024;

export const mostPasskeys = 20;

/** Characters of a password. The upper limit leaves room for any passphrase. */
export const passwordLength = { least: 10, most: 256 } as const;

/** In each list of blocked and allowed senders. */
export const mostListedSenders = 1000;

export const mostSettingsFileCharacters = 256 * 1024;

// The short names in addresses: of sites, categories and priorities.

export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** Only digits would look like an id. */
export const isNumber = (text: string) => /^\d+$/.test(text);

export const isSlug = (text: string) => slugPattern.test(text) && !isNumber(text);

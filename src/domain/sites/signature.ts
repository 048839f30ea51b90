// What stands under the replies of a site's agents (docs/spec/templates.md#signatures).

import { fillIn, unknownInWords, variablesIn } from '../variables.ts';

const known = ['site.name', 'agent.name', 'agent.signature', 'ticket.reference'];

export const longestSignature = 2000;

/** What is wrong with a template of it. */
export function signatureProblems(template: string): string[] {
  return unknownInWords(variablesIn(template).filter((name) => !known.includes(name)));
}

interface Signing {
  siteName: string;
  agentName: string;
  /** Their own, in Markdown. */
  agentSignature: string;
  reference: string;
}

const ownPlace = /\{\{\s*agent\.signature\s*\}\}/;

/** In Markdown. Without a template of the site, the agent's own. */
export function signatureOf(template: string | null, signing: Signing): string {
  if (template === null) return signing.agentSignature.trim();
  const { siteName, agentName, reference } = signing;
  const filled = (name: string) =>
    name === 'site.name' ? siteName : name === 'agent.name' ? agentName : name === 'ticket.reference' ? reference : '';
  return template
    .split(ownPlace)
    .map((part) => fillIn(part, 'markdown', filled))
    .join(signing.agentSignature.trim())
    .trim();
}

// Reads one action of a rule from the wire.
import { canonicalAddress, isAddress, normaliseEmail } from '../mail/address.ts';
import { maxTags, type TicketStatus, tagPattern, ticketStatuses } from '../tickets/ticket.ts';
import { type RuleAction, ruleActionTypes } from './rule.ts';
import { isId, isObject, isOneOf, isShortText, type RuleReading, ruleLimits } from './wire-reading.ts';

export function readAction(reading: RuleReading, input: unknown, path: string): RuleAction | null {
  if (!isObject(input)) return reading.wrong(path, 'Must be an object.');
  const { type } = input;
  const value = input.value ?? null;
  const at = `${path}.value`;
  if (!isOneOf(ruleActionTypes, type))
    return reading.wrong(`${path}.type`, `Must be one of ${ruleActionTypes.join(', ')}.`);
  switch (type) {
    case 'set_category':
      return isNamed(reading, 'category', value, at) ? { type, value } : null;
    case 'set_priority':
      return isNamed(reading, 'priority', value, at) ? { type, value } : null;
    case 'set_sender':
      return isNamed(reading, 'sender', value, at) ? { type, value } : null;
    case 'assign':
      if (value === 'round_robin') return { type, value };
      return isNamed(reading, 'agent', value, at, 'an agent or round_robin') ? { type, value } : null;
    case 'add_tags':
      return readTags(reading, value, at);
    case 'add_participant':
      return readParticipant(reading, value, at);
    case 'set_metadata':
      return readMetadata(reading, value, at);
    case 'set_status':
      if (!isOneOf(ticketStatuses, value)) return reading.wrong(at, `Must be one of ${ticketStatuses.join(', ')}.`);
      return { type, value: value as TicketStatus };
    case 'note':
      if (typeof value !== 'string' || value.trim() === '') return reading.wrong(at, 'Must be the text of the note.');
      return [...value].length > ruleLimits.note
        ? reading.wrong(at, `Must have at most ${ruleLimits.note} characters.`)
        : { type, value };
    case 'forward':
      return typeof value === 'string' && isAddress(value)
        ? { type, value: normaliseEmail(value) }
        : reading.wrong(at, 'Must be an e-mail address.');
    case 'discard':
      if (value === null || isShortText(value)) return { type, value: value === '' ? null : value };
      return reading.wrong(at, 'Must be a reason or absent.');
  }
}

function readTags(reading: RuleReading, value: unknown, at: string): RuleAction | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxTags)
    return reading.wrong(at, `Must be a list of 1 to ${maxTags} tags.`);
  const wrongAt = value.findIndex((tag) => typeof tag !== 'string' || !tagPattern.test(tag));
  if (wrongAt !== -1)
    return reading.wrong(`${at}.${wrongAt}`, 'Must have 1 to 32 lower-case letters, digits and hyphens.');
  return { type: 'add_tags', value: [...new Set(value as string[])] };
}

function readParticipant(reading: RuleReading, value: unknown, at: string): RuleAction | null {
  if (!isObject(value)) return reading.wrong(at, 'Must be an object with an email, and a name or none.');
  const { email, name = null } = value;
  if (typeof email !== 'string' || canonicalAddress(email) !== email)
    return reading.wrong(`${at}.email`, 'Must be an e-mail address.');
  if (name !== null && (typeof name !== 'string' || name.length > ruleLimits.name || /\p{Cc}/u.test(name)))
    return reading.wrong(`${at}.name`, `Must be one line of at most ${ruleLimits.name} characters.`);
  return { type: 'add_participant', value: { email, name } };
}

function readMetadata(reading: RuleReading, value: unknown, at: string): RuleAction | null {
  if (!isObject(value) || Object.keys(value).length === 0)
    return reading.wrong(at, 'Must be an object with at least one key.');
  if (Object.keys(value).length > ruleLimits.metadataKeys)
    return reading.wrong(at, `Must have at most ${ruleLimits.metadataKeys} keys.`);
  if (JSON.stringify(value).length > ruleLimits.metadataBytes)
    return reading.wrong(at, `Must have at most ${ruleLimits.metadataBytes} bytes.`);
  return { type: 'set_metadata', value };
}

const lists = { category: 'categories', priority: 'priorities', sender: 'senders', agent: 'agents' } as const;

function isNamed(
  reading: RuleReading,
  what: keyof typeof lists,
  value: unknown,
  at: string,
  wanted = `a ${what}`,
): value is number {
  if (!isId(value)) {
    reading.wrong(at, `Must be the id of ${wanted}.`);
    return false;
  }
  const { surroundings } = reading;
  if (surroundings === undefined || surroundings[lists[what]].some((each) => each.id === value)) return true;
  reading.wrong(at, `Names ${what} ${value}, which the site does not have.`);
  return false;
}

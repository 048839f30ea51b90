// What people type after --if and --then.
import { describe, expect, test } from 'bun:test';
import { parseAction, parseCondition } from '../../../src/domain/rules/text.ts';

const surroundings = {
  categories: [{ id: 9, slug: 'billing', name: 'Bills & Co' }],
  priorities: [{ id: 4, name: 'Urgent' }],
  senders: [],
  agents: [{ id: 7, name: 'Sam' }],
  hasMembers: true,
};

describe('--if', () => {
  test.each<[string, unknown]>([
    ['subject contains invoice', { field: 'subject', operator: 'contains', value: 'invoice', negate: false }],
    [
      'subject  contains   "two  words "',
      { field: 'subject', operator: 'contains', value: 'two  words ', negate: false },
    ],
    ['subject not starts_with Re:', { field: 'subject', operator: 'starts_with', value: 'Re:', negate: true }],
    [
      'from_domain in a.example, b.example',
      { field: 'from_domain', operator: 'in', value: ['a.example', 'b.example'], negate: false },
    ],
    ['body matches order\\s+\\d+', { field: 'body', operator: 'matches', value: 'order\\s+\\d+', negate: false }],
    ['size gt 5MB', { field: 'size', operator: 'gt', value: 5 * 1024 * 1024, negate: false }],
    ['size lt 10 kb', { field: 'size', operator: 'lt', value: 10240, negate: false }],
    ['spam_score gt 4.5', { field: 'spam_score', operator: 'gt', value: 4.5, negate: false }],
    ['has_attachment equals true', { field: 'has_attachment', operator: 'equals', value: true, negate: false }],
    ['is_reply equals no', { field: 'is_reply', operator: 'equals', value: false, negate: false }],
    ['header:X-Spam not exists', { field: 'header:X-Spam', operator: 'exists', value: null, negate: true }],
  ])('%s', (text, value) => expect(parseCondition(text)).toEqual({ value: value as never, error: null }));

  test.each<[string, RegExp]>([
    ['', /not a condition/],
    ['subject', /not a condition/],
    ['colour is red', /no field “colour”.*subject/],
    ['subject is red', /no operator “is”.*contains/],
    ['subject gt 5', /operator: Must be one of equals/],
    ['size gt big', /“big” is not a number, as size/],
    ['spam_score gt 5MB', /not a number/],
    ['is_reply equals maybe', /not true or false/],
    ['subject contains', /value: Must be text/],
    ['subject matches (', /value: The expression is not valid/],
    ['from_domain in ,', /value: Must be a list/],
  ])('%p is refused: %p', (text, error) => expect(parseCondition(text).error).toMatch(error));
});

describe('--then', () => {
  test.each<[string, unknown]>([
    ['set_category 9', { type: 'set_category', value: 9 }],
    ['set_category billing', { type: 'set_category', value: 9 }],
    ['set_category "bills & co"', { type: 'set_category', value: 9 }],
    ['set_priority urgent', { type: 'set_priority', value: 4 }],
    ['assign sam', { type: 'assign', value: 7 }],
    ['assign round-robin', { type: 'assign', value: 'round_robin' }],
    ['add_tags billing, vip', { type: 'add_tags', value: ['billing', 'vip'] }],
    ['add_participant BO@example.org', { type: 'add_participant', value: { email: 'bo@example.org', name: null } }],
    [
      'add_participant Bo Berg <bo@example.org>',
      { type: 'add_participant', value: { email: 'bo@example.org', name: 'Bo Berg' } },
    ],
    ['set_metadata plan=pro team="two words"', { type: 'set_metadata', value: { plan: 'pro', team: 'two words' } }],
    ['set_metadata {"seats": 3}', { type: 'set_metadata', value: { seats: 3 } }],
    ['set_status pending', { type: 'set_status', value: 'pending' }],
    ['note Call them back', { type: 'note', value: 'Call them back' }],
    ['forward boss@example.com', { type: 'forward', value: 'boss@example.com' }],
    ['discard', { type: 'discard', value: null }],
    ['discard is spam', { type: 'discard', value: 'is spam' }],
  ])('%s', (text, value) => expect(parseAction(text, surroundings)).toEqual({ value: value as never, error: null }));

  test.each<[string, RegExp]>([
    ['', /not an action/],
    ['explode', /no action “explode”.*discard/],
    ['set_category unknown', /“unknown” is not a value for set_category/],
    ['set_category 10', /value: Names category 10/],
    ['add_tags Not_Ok', /value.0: Must have 1 to 32/],
    ['set_metadata nothing', /not a value for set_metadata/],
    ['set_metadata {"a"', /not a value for set_metadata/],
    ['set_status done', /value: Must be one of open/],
    ['forward no one', /value: Must be an e-mail address/],
    ['note', /value: Must be the text/],
  ])('%p is refused: %p', (text, error) => expect(parseAction(text, surroundings).error).toMatch(error));
});

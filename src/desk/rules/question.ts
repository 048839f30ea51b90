// What the rules of a site are asked about a message, and what their answer means for its ticket.

import type { Circle, RuleSubject } from '../../domain/rules/deed.ts';
import { messageForRules } from '../../domain/rules/fields.ts';
import type { RuleQuestion } from '../../domain/rules/judging.ts';
import { nextInTurn, type RuleOutcome, type RuleSurroundings } from '../../domain/rules/rule.ts';
import type { Tx } from '../../engine/database.ts';
import type { Classified } from '../../mail/inbound/classify.ts';
import type { ReadMessage } from '../../mail/inbound/message.ts';
import { ruleMessageOf } from '../../mail/inbound/rule-message.ts';
import type { FoldedBody } from '../../mail/reply/body.ts';
import { isSuppressed } from '../../store/mail/suppressions.ts';
import { ruleMark, rulesInOrder } from '../../store/rules/rules-in-order.ts';
import { categoryRows } from '../../store/sites/catalogue.ts';
import { type Site, siteById } from '../../store/sites/sites.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Gathering } from '../tickets/participants.ts';

export interface Understood {
  message: ReadMessage;
  classified: Classified;
  folded: FoldedBody;
}

/** Rules run outside the transaction. `key` changes when their answer could; `mark` identifies the rules. */
export interface RulesToAsk {
  key: string;
  mark: string;
  question: RuleQuestion;
}

export interface RuleAnswer {
  key: string;
  outcome: RuleOutcome;
}

type Ruled = RuleOutcome & { surroundings: RuleSurroundings };

export function rulesToAsk(
  tx: Tx,
  site: Site,
  { message, folded }: Understood,
  matched: Ticket | null,
  gather: () => Gathering,
  surroundings: RuleSurroundings,
): (Omit<RulesToAsk, 'question'> & { question: () => RuleQuestion }) | null {
  const rules = rulesInOrder(tx, site.id);
  if (rules.length === 0) return null;
  const mark = ruleMark(tx, site.id) ?? '';
  const row = matched?.categoryId == null ? null : (categoryRows.get(tx, site.id, matched.categoryId) ?? null);
  const isAskedFor = rules.some(({ conditions }) => conditions.some(({ field }) => field === 'participant'));
  const { people, barred } = isAskedFor ? gather() : { people: [], barred: [] };
  const participants = people.map(({ email, name }) => ({ address: email, name: name ?? '' }));
  const category = row && { id: row.id, slug: row.slug, name: row.name };
  const ticket = { isReply: matched !== null, category, participants, barred };
  return {
    key: JSON.stringify([mark, ticket, surroundings]),
    mark,
    question: () => ({ rules, message: messageForRules(ruleMessageOf(message, folded, ticket), rules), surroundings }),
  };
}

export function subjectOf(
  tx: Tx,
  site: Site,
  { effects, surroundings }: Ruled,
  {
    fate,
    matched,
    sender,
    isNoted,
    forwardedTo,
    circle,
  }: {
    fate: RuleSubject['fate'];
    matched: Ticket | null;
    sender: number | null;
    isNoted: boolean;
    forwardedTo: readonly string[];
    circle: Circle;
  },
): RuleSubject {
  const { agents } = surroundings;
  const lastId = siteById(tx, site.id)?.lastAssignedAgentId ?? null;
  return {
    fate,
    status: matched !== null && isNoted ? matched.status : 'open',
    columns: {
      category_id: matched?.categoryId ?? null,
      priority_id: matched === null ? site.defaultPriorityId : matched.priorityId,
      sender_id: matched === null ? sender : matched.senderId,
      assigned_to: matched?.assigneeId ?? null,
    },
    tags: matched?.tags ?? [],
    metadata: matched?.metadata ?? {},
    circle,
    nextAgentId: nextInTurn(
      agents.map(({ id }) => id),
      lastId,
    ),
    agents,
    forwardedTo,
    bouncing: effects.forwards
      .map(({ address }) => address.toLowerCase())
      .filter((address) => isSuppressed(tx, site.id, address)),
  };
}

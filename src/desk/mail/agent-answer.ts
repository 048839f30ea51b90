// Files an agent's answer by mail: a reply or a note, with the commands of its first lines (docs/spec/behaviour.md#answers-by-mail).

import { can } from '../../domain/actor.ts';
import { DeskError } from '../../domain/errors.ts';
import type { TicketChangeInput } from '../../domain/input/tickets.ts';
import { hourMs } from '../../domain/instant.ts';
import {
  type AnswerProblem,
  type AskedByMail,
  quotesTheDesk,
  readAnswer,
  withoutOwnSignature,
} from '../../domain/mail/answer.ts';
import { floodLimit } from '../../domain/mail/inbound.ts';
import { tagPattern, transitionBetween } from '../../domain/tickets/ticket.ts';
import type { Tx } from '../../engine/database.ts';
import { problemsToldSince } from '../../store/mail/answers.ts';
import { type Agent, agentsOfSite } from '../../store/people/agents.ts';
import { priorityRows } from '../../store/sites/catalogue.ts';
import type { Site } from '../../store/sites/sites.ts';
import { updateMessage } from '../../store/tickets/messages.ts';
import type { Ticket } from '../../store/tickets/tickets.ts';
import type { Context } from '../context.ts';
import { queueMail } from '../outbox/queue-mail.ts';
import { askedChange } from '../tickets/asked-change.ts';
import { changeTicket } from '../tickets/change-ticket.ts';
import { insertNote } from '../tickets/notes.ts';
import { replyAsAgent } from '../tickets/replies.ts';
import { bodiesOf, keepFiles, type MailMaterial, withRoom } from './material.ts';
import type { CarriedOut } from './plan.ts';
import type { Answer } from './plan-answer.ts';

interface Refused {
  problem: AnswerProblem;
  line: string;
}

/** What is not certain is only noted, and the agent is told why: nothing of it reaches a customer. */
export function fileAnswer(
  tx: Tx,
  ctx: Context,
  site: Site,
  received: MailMaterial,
  { ticket, agent, actor, problem, isForOther }: Answer,
): CarriedOut {
  const material = withRoom(tx, site, ticket, received);
  const { body, wholeBody } = bodiesOf(material);
  if (agent === null || actor === null) {
    const from = material.message.from?.address ?? '';
    const note = insertNote(tx, ctx, ticket, `From ${from}, not proven:\n\n${body}`, wholeBody);
    keepFiles(tx, ctx, ticket, note, material.files);
    if (agent !== null) tell(tx, ctx, ticket, agent, material, { problem: problem ?? 'not_proven', line: '' });
    return { reason: `Not proven to be from the agent, kept as note ${note.id}.` };
  }
  const by: Context = { ...ctx, actor };
  const wanted =
    problem === null ? understand(tx, by, site, { ticket, agent, isForOther }, material) : { problem, line: '' };
  if ('problem' in wanted) {
    const { message } = replyAsAgent(tx, by, ticket.id, { body, is_internal: true });
    updateMessage(tx, message.id, { wholeBody });
    keepFiles(tx, by, ticket, message, material.files);
    tell(tx, ctx, ticket, agent, material, wanted);
    return { reason: `From agent ${agent.name}, only noted: ${wanted.problem}.` };
  }
  const { words, isReply, change } = wanted;
  const { status, ...fields } = change;
  if (words !== '') {
    const { message } = replyAsAgent(tx, by, ticket.id, { body: words, is_internal: !isReply, status });
    if (!isReply) updateMessage(tx, message.id, { wholeBody });
    keepFiles(tx, by, ticket, message, material.files);
  }
  const left = words === '' ? change : fields;
  if (Object.keys(left).length > 0) changeTicket(tx, by, ticket.id, left, null);
  return { reason: `From agent ${agent.name}, ${words === '' ? 'commands' : isReply ? 'a reply' : 'a note'}.` };
}

function understand(
  tx: Tx,
  by: Context,
  site: Site,
  { ticket, agent, isForOther }: { ticket: Ticket; agent: Agent; isForOther: boolean },
  { folded, aboveLine, files, refused }: MailMaterial,
): { words: string; isReply: boolean; change: TicketChangeInput } | Refused {
  const own = aboveLine ?? { words: folded.body, isCut: false };
  const { asked, words: written, problem } = readAnswer(own.words);
  if (problem !== null) return { problem: problem.kind, line: problem.line };
  const words = withoutOwnSignature(written, agent.signature);
  const isReply = asked.isReply ?? site.settings.agent_mail === 'reply';
  const change = changeOf(tx, site, ticket, agent, asked);
  if ('problem' in change) return change;
  const only = (problem: AnswerProblem): Refused => ({ problem, line: '' });
  const changes = Object.keys(change).length > 0;
  if ((isReply || changes) && isForOther) return only('merged');
  if ((isReply || changes) && !can(by.actor, 'write')) return only('not_allowed');
  try {
    askedChange(tx, by, site, ticket, change);
  } catch (error) {
    if (error instanceof DeskError) return only('not_allowed');
    throw error;
  }
  if (change.status !== undefined && transitionBetween(ticket.status, change.status) === null)
    return only('not_allowed');
  if (words === '' && (asked.isReply !== null || !changes || files.length > 0 || refused.length > 0))
    return only('no_words');
  if (isReply && words !== '') {
    // The whole text, with what it quotes, is then one of the files.
    if (own.isCut || folded.isCut) return only('too_long');
    if (refused.length > 0) return only('refused_files');
    if (quotesTheDesk(words, [`/tickets/${ticket.ulid}`, 'agent+', '##-'])) return only('unclear_quote');
  }
  return { words, isReply, change };
}

function changeOf(tx: Tx, site: Site, ticket: Ticket, agent: Agent, asked: AskedByMail): TicketChangeInput | Refused {
  const change: TicketChangeInput = {};
  const unclear = (line: string): Refused => ({ problem: 'unclear_command', line });
  if (asked.status !== null) change.status = asked.status;
  if (asked.takes !== null) change.assigned_to = agent.id;
  if (asked.assign !== null) {
    const found = onlyOne(agentsOfSite(tx, site.id), asked.assign, ({ name, email }) => [name, email]);
    if (found === null) return unclear(`/assign ${asked.assign}`);
    change.assigned_to = found.id;
  }
  if (asked.priority !== null) {
    const known = priorityRows.list(tx, site.id).filter(({ isActive }) => isActive);
    const found = onlyOne(known, asked.priority, ({ name, slug }) => [name, slug]);
    if (found === null) return unclear(`/priority ${asked.priority}`);
    change.priority_id = found.id;
  }
  if (asked.tags.length > 0) {
    const wrong = asked.tags.find((tag) => !tagPattern.test(tag));
    if (wrong !== undefined) return unclear(`/tag ${wrong}`);
    change.add_tags = asked.tags.filter((tag) => !ticket.tags.includes(tag));
  }
  return change;
}

/** The one with this name, or else the one with this word in its name. */
function onlyOne<Row>(rows: readonly Row[], wanted: string, namesOf: (row: Row) => string[]): Row | null {
  const text = wanted.toLowerCase();
  const names = (row: Row) => namesOf(row).map((name) => name.toLowerCase());
  const exact = rows.filter((row) => names(row).includes(text));
  const found =
    exact.length > 0 ? exact : rows.filter((row) => names(row).some((name) => name.split(/\s+/).includes(text)));
  return found.length === 1 ? found[0]! : null;
}

/** Always to the agent's own address, and not without end: another program may answer every mail. */
function tell(tx: Tx, ctx: Context, ticket: Ticket, agent: Agent, { classified }: MailMaterial, answer: Refused): void {
  if (classified.isList || problemsToldSince(tx, ticket.id, ctx.now - hourMs) >= floodLimit) return;
  queueMail(tx, ctx, ticket.siteId, ticket.id, null, 'mail.answer_noted', agent, { answer });
}

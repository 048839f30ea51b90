// Why mail waits for a decision, one sentence for each reason. The log keeps the English text; programs and the console read it again as a code.

/** Words in braces are values. */
const sentences = {
  forged: 'Its sender is forged: {checks} failed.',
  called_forged: 'Its header says that its sender is forged ({checks} failed), and the desk could not check that.',
  answers_spam: 'It answers a ticket that is marked as spam.',
  spam_sender: 'A ticket of {address} is marked as spam.',
  spam_score: 'The spam filter gives it a score of {score}.',
  opened_too_many: '{address} has opened more than {count} tickets within an hour.',
  reopened_too_many: '{address} has reopened more than {count} tickets within an hour.',
  sends_too_much: '{address} sends more mail than one sender is allowed to.',
  nameless_sends_too_much: 'A sender without an address sends more mail than one sender is allowed to.',
  unproven_answers: 'More than {count} answers of unproven senders came to this ticket within an hour.',
  uninvited_answers: 'Too many people to whom no one wrote answer this side conversation.',
  unknown_answer_address: 'It is to an address for answers that this site gave to no one.',
  unknown_side_address: 'It is to a side conversation that this site does not have.',
  side_conversation_full: 'The side conversation is full.',
  no_sender: 'The message names no sender that can be answered.',
  forward_bounces: 'Rule {rule} forwards and discards it, but mail to {address} bounces.',
  unconfirmed_forms: '{address} sent more than {count} forms within an hour, and no one has confirmed this address.',
  blocked_sender: '{address} is blocked.',
  only_text: 'The message was too costly to read in full, so only its text was kept.',
  cut_headers: 'Its headers are too long, so some are cut or left out; the original has them.',
} as const;

type Sentences = typeof sentences;
export type HeldCode = keyof Sentences;
export const heldCodes = Object.keys(sentences) as [HeldCode, ...HeldCode[]];

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Values<Code extends HeldCode> = Record<NamesIn<Sentences[Code]>, string | number>;

interface KnownReason {
  code: HeldCode;
  values: Partial<Record<NamesIn<Sentences[HeldCode]>, string>>;
}

const anyName = /\{(\w+)\}/g;

export function heldText<Code extends HeldCode>(
  code: Code,
  ...[values]: [NamesIn<Sentences[Code]>] extends [never] ? [] : [Values<Code>]
): string {
  const given: Record<string, string | number> = values ?? {};
  return sentences[code].replace(anyName, (_, name: string) => String(given[name]));
}

export const forgedText = ({ checks, isClaimed }: { checks: string; isClaimed: boolean }): string =>
  heldText(isClaimed ? 'called_forged' : 'forged', { checks });

const patterns = heldCodes.map((code) => {
  const literal = sentences[code].replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return { code, pattern: new RegExp(`^${literal.replace(anyName, '(?<$1>\\S+)')}(?: |$)`, 'u') };
});

/** None where the text has other words, such as those of a rule. */
export function heldCodesIn(text: string): KnownReason[] {
  const found: KnownReason[] = [];
  for (let rest = text; rest !== ''; ) {
    const next = patterns.flatMap(({ code, pattern }) => {
      const match = pattern.exec(rest);
      return match === null ? [] : [{ code, values: { ...match.groups }, length: match[0].length }];
    })[0];
    if (next === undefined) return [];
    found.push({ code: next.code, values: next.values });
    rest = rest.slice(next.length);
  }
  return found;
}

// As many costly rules as a site can have, and mail and dry runs that use all of them.

import { askAll, asTeam, filled, type Tally, type Target } from './target.ts';

const patterns = [
  '(a|b|c|d|e)*f.{1,20}g',
  '(x+x+)+y',
  '([a-z]+[0-9]*)+[!?]$',
  '(?:\\w+\\s){1,10}end',
  '.*a.*b.*c.*d.*e.*f',
];

export async function hostileRules(target: Target): Promise<Tally> {
  const rules = Array.from({ length: 200 }, (_, at) => () => ({
    method: 'POST',
    path: `/api/v1/sites/${target.slug}/inbound-rules`,
    headers: asTeam(target),
    body: JSON.stringify({
      name: `Rule ${at}`,
      match: 'any',
      conditions: Array.from({ length: 20 }, (_, of) => ({
        field: 'body',
        operator: 'matches',
        value: `${patterns[(at + of) % patterns.length]}${at}`,
      })),
      actions: [{ type: 'add_tags', value: [`t${at}`] }],
    }),
  }));
  const saved = await askAll(target, rules, 4);
  if ((saved['201'] ?? 0) === 0) throw new Error(`No rule was taken: ${JSON.stringify(saved)}`);
  const raw = (at: number) =>
    filled(
      `From: mia${at}@rules.example\r\nTo: shop@desk.example\r\nSubject: Hello\r\n\r\n`,
      'abcdex1 a b c d ',
      10_000,
    );
  const mail = Array.from({ length: 40 }, (_, at) => () => ({
    method: 'POST',
    path: `/api/webhooks/raw/inbound/${target.inboundSecret}`,
    headers: { 'Content-Type': 'message/rfc822' },
    body: raw(at),
  }));
  const dryRuns = Array.from({ length: 20 }, (_, at) => () => ({
    method: 'POST',
    path: `/api/v1/sites/${target.slug}/inbound-rules/test`,
    headers: asTeam(target),
    body: JSON.stringify({ raw: raw(at) }),
  }));
  return await askAll(target, [...mail, ...dryRuns], 10);
}

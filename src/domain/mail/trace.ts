// The steps of a mail on its way in or out.

/** In the order in which they usually come: first those of arriving mail, then those of mail that leaves. */
export const traceStepKinds = [
  'seen',
  'stored',
  'sender_checked',
  'waiting',
  'filed',
  'not_filed',
  'forwarded',
  'settled',
  'queued',
  'refused',
  'accepted',
  'failed',
  'bounced',
] as const;
export type TraceStepKind = (typeof traceStepKinds)[number];

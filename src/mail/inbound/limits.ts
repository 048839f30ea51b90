// The limits of an inbound message, and the error for mail that is refused.
import { DeskError, type ErrorCode } from '../../domain/errors.ts';

/** Each is far above real mail and far below what costs a second or 100 MB. */
export const mailLimits = {
  messageBytes: 25 * 1024 * 1024,
  headerBytes: 512 * 1024,
  headerLineBytes: 64 * 1024,
  addressBytes: 64 * 1024,
  headersPerPart: 1000,
  headersInAll: 4000,
  parts: 500,
  depth: 30,
  /** Lines that start with "--": each is checked against the boundaries. */
  dashLines: 200_000,
  /** What mailparser reads of one body; the full text becomes an attachment. */
  textBytes: 256 * 1024,
  htmlBytes: 512 * 1024,
  /** In all texts: mailparser costs more per line than per byte. */
  textLines: 50_000,
  smallBodyBytes: 16 * 1024,
  allBodiesBytes: 768 * 1024,
  addresses: 500,
  replyAddresses: 10,
  embeddedMessages: 10,
  embeddedBodiesBytes: 64 * 1024,
} as const;

type MailRefusalReason =
  | 'message_too_large'
  | 'too_many_parts'
  | 'nested_too_deep'
  | 'too_many_boundaries'
  | 'unreadable'
  | 'provider_request_malformed'
  | 'provider_signature_invalid'
  | 'provider_topic_not_allowed'
  | 'provider_content_missing';

/** The only error of reading mail. `reason` is stable for programs. */
export class MailRefusal extends DeskError {
  override readonly reason: MailRefusalReason;

  constructor(code: ErrorCode, reason: MailRefusalReason, message: string) {
    super(code, message, { reason });
    this.name = 'MailRefusal';
    this.reason = reason;
  }
}

export function tooMuch(reason: MailRefusalReason, message: string): MailRefusal {
  return new MailRefusal('too_large', reason, message);
}

export function malformed(message: string): MailRefusal {
  return new MailRefusal('malformed', 'provider_request_malformed', message);
}

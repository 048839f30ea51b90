// How big, deep and crowded a message may be before it is refused, and the one way in which mail is refused.
import { DeskError, type ErrorCode } from '../../domain/errors.ts';

/** Each is far above what mail programs write and far below what costs a second or a hundred megabytes. */
export const mailLimits = {
  messageBytes: 25 * 1024 * 1024,
  headerBytes: 512 * 1024,
  headerLineBytes: 64 * 1024,
  addressBytes: 64 * 1024,
  headersPerPart: 1000,
  headersInAll: 4000,
  parts: 500,
  depth: 30,
  /** Lines that begin with "--"; a bomb of them costs more to look at than any boundary is worth. */
  dashLines: 200_000,
  /** What mailparser is given of one body; the rest is decoded natively and kept as an attachment. */
  textBytes: 256 * 1024,
  htmlBytes: 512 * 1024,
  /** Lines of all texts that mailparser is given: it costs more a line than a byte. */
  textLines: 50_000,
  /** Bodies up to this size go through mailparser as they are. */
  smallBodyBytes: 16 * 1024,
  /** What mailparser is given of all bodies together. */
  allBodiesBytes: 768 * 1024,
  /** Addresses, references and recipients kept of one header. */
  addresses: 500,
  embeddedMessages: 10,
  /** As allBodiesBytes, of each message within the message. */
  embeddedBodiesBytes: 64 * 1024,
} as const;

type MailRefusalReason =
  | 'message_too_large'
  | 'headers_too_large'
  | 'header_line_too_long'
  | 'too_many_headers'
  | 'too_many_parts'
  | 'nested_too_deep'
  | 'too_many_boundaries'
  | 'unreadable'
  | 'provider_request_malformed'
  | 'provider_signature_invalid'
  | 'provider_topic_not_allowed'
  | 'provider_content_missing';

/** The only thing that reading mail throws. `reason` is stable; the message is a sentence for people. */
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

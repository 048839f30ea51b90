// Attaches an uploaded file: the file is kept, then its row is written.

import * as z from 'zod';
import { newUlid } from '../../../base/ids.ts';
import type { StoredFile } from '../../../desk/tickets/attachments.ts';
import { invalid } from '../../../domain/errors.ts';
import type { FileRules } from '../../../domain/tickets/files.ts';
import type { Tx } from '../../../engine/database.ts';
import { mayBeStored } from '../../../engine/refusals.ts';
import type { Attachment } from '../../../store/tickets/messages.ts';
import type { DraftFile } from '../../../store/tickets/ticket-drafts.ts';
import type { Stranger } from '../../body-gates.ts';
import type { Call } from '../../operation.ts';
import { receiveUpload, type Upload } from '../../upload.ts';
import { jsonReply, type Reply } from '../../wire/respond.ts';
import { attachmentShape, presentAttachment } from '../../wire/tickets/message.ts';
import { visible } from '../../write-only-answer.ts';
import { parseId } from '../parameters.ts';

function parseMessageId(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  return parseId(text) ?? Number.NaN;
}

export const uploadAnswer = {
  status: 201,
  description: 'The attachment',
  schema: z.object({ message: z.string(), attachment: attachmentShape }),
} as const;
export const uploadErrors = [404, 409, 413, 415] as const;

type Attached = Attachment | DraftFile;
type Attach = (tx: Tx, file: StoredFile, messageId: number | null) => Attached;

/** To be called after the caller was admitted, because it stores the file before it writes the row. */
export async function attachUpload(
  call: Call,
  rules: FileRules,
  attach: Attach,
  stranger: Stranger | null = null,
): Promise<Reply> {
  const upload = await receiveUpload(call, rules, stranger);
  const messageId = parseMessageId(upload.fields.message_id);
  return keepUpload(call, upload, (tx, file) => attach(tx, file, messageId));
}

async function keepUpload(call: Call, upload: Upload, attach: (tx: Tx, file: StoredFile) => Attached) {
  const { staged, filename, contentType } = upload;
  const ulid = newUlid(call.ctx.now);
  const mayRepeat = call.header('idempotency-key') === undefined;
  let isKept = false;
  try {
    if (Number.isNaN(parseMessageId(upload.fields.message_id)))
      throw invalid('message_id', 'must be the id of a message.');
    await staged.keep(ulid);
    const fingerprint = `${filename}\n${staged.sha256}\n${upload.fields.message_id ?? ''}`;
    return await call.commit((tx) => {
      const { size, sha256 } = staged;
      const attachment = attach(tx, { ulid, filename, contentType, size, sha256, mayRepeat });
      // Else it is the first one of a repeated upload, which has its bytes already.
      isKept = attachment.ulid === ulid;
      const shown = presentAttachment(attachment, call.edge.links, call.ctx.now);
      return jsonReply(201, {
        message: 'File attached.',
        attachment: call.site || call.visit ? shown : visible(call, shown),
      });
    }, fingerprint);
  } catch (error) {
    isKept = mayBeStored(error);
    throw error;
  } finally {
    if (!isKept) {
      await staged.discard();
      await call.edge.blobs.remove(ulid);
    }
  }
}

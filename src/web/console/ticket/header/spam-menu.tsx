// Beside the mark of spam: block who wrote it, or hear them again. Each can be taken back.

import { Menu } from '../../../shared/menu.tsx';
import { announceRefusal } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import { changeTicket } from '../../tickets/change.ts';
import { offerUndo } from '../../undo.ts';
import type { TicketDetail } from '../../wire.ts';
import { t } from '../messages.ts';

interface Lists {
  blocked_senders: string[];
  allowed_senders: string[];
}
type List = 'blocked' | 'allowed' | null;

/** @returns on which list the entry was; undefined if the desk refused */
async function putOn(site: number, entry: string, list: List): Promise<List | undefined> {
  const path = `/sites/${site}`;
  const found = await ask<{ data: { settings: Lists } }>('GET', path);
  if (found.isOk) {
    const { blocked_senders: blocked, allowed_senders: allowed } = found.data.data.settings;
    const changed = (entries: string[], isOn: boolean) => [
      ...entries.filter((each) => each !== entry),
      ...(isOn ? [entry] : []),
    ];
    const settings: Lists = {
      blocked_senders: changed(blocked, list === 'blocked'),
      allowed_senders: changed(allowed, list === 'allowed'),
    };
    const saved = await ask('PATCH', path, { settings }, found.etag == null ? {} : { 'If-Match': found.etag });
    if (saved.isOk) return blocked.includes(entry) ? 'blocked' : allowed.includes(entry) ? 'allowed' : null;
    announceRefusal(saved.refusal);
  } else announceRefusal(found.refusal);
  return undefined;
}

async function change(site: number, entry: string, list: 'blocked' | 'allowed'): Promise<boolean> {
  const before = await putOn(site, entry, list);
  if (before === undefined) return false;
  offerUndo(list === 'blocked' ? t.senderIsBlocked(entry) : t.senderIsAllowed(entry), async () => {
    await putOn(site, entry, before);
  });
  return true;
}

export function SpamMenu({ ticket: { ulid, reference, site_id: site, author } }: { ticket: TicketDetail }) {
  if (!can('manage') || author === null || author.anonymised_at !== null) return null;
  const email = author.email.toLowerCase();
  const domain = email.slice(email.lastIndexOf('@'));
  const allow = async () => {
    if (await change(site, email, 'allowed'))
      await changeTicket([ulid], { is_spam: false }, { text: t.spamUnmarked(reference) });
  };
  return (
    <Menu
      label={t.blockOrAllow}
      buttonClass="button quiet"
      items={[
        { text: t.blockAuthor(email), run: () => void change(site, email, 'blocked') },
        { text: t.blockAuthor(domain), run: () => void change(site, domain, 'blocked') },
        { text: t.allowAuthor(email), isApart: true, run: () => void allow() },
      ]}
    >
      {t.blockOrAllow}
    </Menu>
  );
}

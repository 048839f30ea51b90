// Where a browser ends up that was at a provider to give the desk access to a mailbox.

import { ButtonLink } from '../shared/button.tsx';
import { t } from '../shared/sign-in-messages.ts';
import { Frame } from './frame.tsx';

/** The address says only which of these it is, and which mailbox, so that no link can put other words on this page. */
const texts: Readonly<Record<string, () => [title: string, lead: string]>> = {
  connected: () => [t.consentDone, t.consentDoneText],
  refused: () => [t.consentNotDone, t.consentRefused],
  unavailable: () => [t.consentNotDone, t.consentUnavailable],
};

export function Consented() {
  const query = new URLSearchParams(location.search);
  const numberIn = (name: string) => /^[1-9]\d{0,15}$/.exec(query.get(name) ?? '')?.[0] ?? null;
  const [mailbox, site] = [numberIn('mailbox'), numberIn('site_id')];
  const [title, lead] = texts[query.get('result') ?? '']?.() ?? [t.linkExpiredTitle, t.consentExpired];
  const href = mailbox === null || site === null ? '' : `/${mailbox}?site_id=${site}`;
  return (
    <Frame title={title} lead={lead}>
      <ButtonLink href={`/settings/mailboxes${href}`} kind="primary" isWide>
        {t.toMailbox}
      </ButtonLink>
    </Frame>
  );
}

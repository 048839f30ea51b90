// The access tokens of the desk's mailboxes: from what was consented, with the desk's registration at the provider.

import type { Desk } from '../desk/desk.ts';
import { openedApp } from '../desk/mail/mail-apps.ts';
import { rotateConsent } from '../desk/mail/mailbox-consents.ts';
import { ConsentNeeded } from '../identity/mailbox-access.ts';
import { createMailTokens, type MailTokenSettings, type MailTokens } from '../identity/mailbox-tokens.ts';
import { allMailboxes } from '../store/mail/mailboxes.ts';
import type { Mailbox } from '../store/sites/catalogue.ts';

type OwnDesk = Pick<Desk, 'seal' | 'read' | 'write' | 'context'>;

// One place for all of a process: two would use up a refresh token that is good once.
const ofDesk = new WeakMap<object, MailTokens>();

export function accessTokens(settings: MailTokenSettings) {
  return async (desk: OwnDesk, { id }: Pick<Mailbox, 'id'>, isRefused: boolean): Promise<string> => {
    const tokens = ofDesk.get(desk) ?? createMailTokens(settings);
    ofDesk.set(desk, tokens);
    const { mailbox, app } = desk.read((tx) => {
      const mailbox = allMailboxes(tx).find((one) => one.id === id);
      return { mailbox, app: mailbox ? openedApp(tx, desk, mailbox.provider) : null };
    });
    if (mailbox?.secretSealed == null) throw new ConsentNeeded('No one has consented yet: connect the mailbox.');
    if (app === null) throw new ConsentNeeded('The desk is no longer registered at the provider.');
    const refreshToken = desk.seal.open(mailbox.secretSealed);
    return await tokens.accessToken(
      {
        id,
        version: `${mailbox.version} ${app.version}`,
        app,
        refreshToken,
        onRotated: (next, until) =>
          desk.write((tx) =>
            rotateConsent(tx, desk.context({ kind: 'desk' }, 'mailbox'), id, refreshToken, next, until),
          ),
      },
      isRefused,
    );
  };
}

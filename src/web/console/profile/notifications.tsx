// What the agent is told about, by mail and on the desktop.

import { SubmissionNotice } from '../../shared/notices.tsx';
import type { Me } from '../../shared/wire.ts';
import { t } from './messages.ts';
import { useSaving } from './save.ts';
import { Section } from './section.tsx';
import type { Profile } from './state.ts';

type Switches = Me['notifications'];

const noticeTexts: Record<string, () => string> = {
  assigned: () => t.noticeAssigned,
  mentioned: () => t.noticeMentioned,
  customer_replied: () => t.noticeCustomerReplied,
  sla_warning: () => t.noticeSlaWarning,
  sla_breached: () => t.noticeSlaBreached,
  channel_disabled: () => t.noticeChannelDisabled,
  mail_held: () => t.noticeMailHeld,
};

const wayTexts: Record<string, () => string> = { mail: () => t.byMail, desktop: () => t.onDesktop };

export function Notifications({ profile }: { profile: Profile }) {
  const { submission, save } = useSaving();
  const switches: Switches = profile.me.notifications;
  const ways = Object.keys(switches);
  const notices = [...new Set(ways.flatMap((way) => Object.keys(switches[way] ?? {})))];
  return (
    <Section id="notifications" title={t.notifications} lead={t.notificationsLead}>
      <SubmissionNotice submission={submission} />
      <table class="switches">
        <thead>
          <tr>
            <th scope="col">{t.noticeOf}</th>
            {ways.map((way) => (
              <th scope="col" key={way}>
                {wayTexts[way]?.() ?? way}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notices.map((notice) => (
            <tr key={notice}>
              <th scope="row">{noticeTexts[notice]?.() ?? notice}</th>
              {ways.map((way) => (
                <td key={way}>
                  <input
                    type="checkbox"
                    class="switch"
                    aria-label={t.noticeBy(noticeTexts[notice]?.() ?? notice, wayTexts[way]?.() ?? way)}
                    checked={switches[way]?.[notice] ?? false}
                    onChange={(event) =>
                      void save({ notifications: { [way]: { [notice]: event.currentTarget.checked } } })
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

// The address that the desk writes from, for sites without their own, and the server that takes its mail.

import type { Config } from './config.ts';

export function senderOf(config: Config, inboundDomain: string): string {
  return config.HELPDESK_MAIL_FROM || `helpdesk@${inboundDomain}`;
}

/** The host that the desk hands its mail to. */
export function mailServerOf({ HELPDESK_SMTP_URL: url }: Config): string | null {
  return url === null || !URL.canParse(url) ? null : new URL(url).hostname;
}

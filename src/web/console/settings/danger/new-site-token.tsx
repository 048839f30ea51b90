// Asks before the site gets a new token.

import { ask } from '../../../shared/signed-in.ts';
import type { Site } from '../../session.ts';
import { newSite } from '../first-steps/progress.ts';
import { RotateDialog } from '../rotate-dialog.tsx';
import { t } from './messages.ts';

interface NewSiteTokenProps {
  site: Site;
  onDone: (token: string) => void;
  onClose: () => void;
}

export function NewSiteToken({ site, onDone, onClose }: NewSiteTokenProps) {
  return (
    <RotateDialog<{ site_token: string }>
      title={t.makeToken}
      text={t.siteTokenText}
      graceLabel={t.oldTokenFor}
      action={t.makeToken}
      send={(body) => ask('POST', `/sites/${site.id}/token`, body)}
      onDone={({ site_token: token }) => {
        newSite.value = { slug: site.slug, token };
        onDone(token);
      }}
      onClose={onClose}
    />
  );
}

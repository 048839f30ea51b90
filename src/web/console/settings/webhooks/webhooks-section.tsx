// The webhooks of a site: the list with the state of each, one webhook, or a new one.

import { Icon } from '../../../shared/icons.tsx';
import { Link } from '../../route.ts';
import { can } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import { tensOfSeconds } from '../../ticking.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { AddChannel } from './add-channel.tsx';
import { platformTexts } from './channel-fields.tsx';
import { ChannelPage } from './channel-page.tsx';
import { ChannelState, LastDelivery } from './channel-state.tsx';
import type { Channel } from './wire.ts';

export function WebhooksSection({ site, id }: SectionProps) {
  if (id === 'new' && can('manage')) return <AddChannel site={site} />;
  return id === null ? <ChannelList site={site} /> : <ChannelPage site={site} id={id} />;
}

function ChannelList({ site }: Pick<SectionProps, 'site'>) {
  const { shown, refusal, reload } = useLiveData<Channel[]>(`/sites/${site.id}/webhook-channels`);
  const channels = shown.value?.data ?? null;
  // Read, so that the times stay true.
  tensOfSeconds.value;
  return (
    <>
      <SectionHead title={t.webhooks} lead={t.webhooksLead}>
        {can('manage') && (
          <Link href={settingsPath('webhooks', 'new', site)} class="button primary">
            <Icon name="plus" />
            {t.addWebhook}
          </Link>
        )}
      </SectionHead>
      <Loading of={{ shown, refusal, reload }} />
      {channels?.length === 0 && (
        <Empty icon="out" title={t.noWebhooks}>
          {can('manage') ? t.noWebhooksText : t.noWebhooksToManage}
        </Empty>
      )}
      {channels !== null && channels.length > 0 && (
        <ul class="panel mailboxes" aria-label={t.webhooks}>
          {channels.map((channel) => (
            <Row key={channel.id} channel={channel} site={site} />
          ))}
        </ul>
      )}
      <LastChange
        siteId={site.id}
        actions={['webhook_channel.created', 'webhook_channel.updated', 'webhook_channel.deleted']}
        targetId={null}
        version={String(channels?.length)}
      />
      <EqualCommand words={['helpdesk', 'channel', 'list', '--site', site.slug]} />
    </>
  );
}

function Row({ channel, site }: { channel: Channel } & Pick<SectionProps, 'site'>) {
  const { id, name, type, webhook_url: url } = channel;
  return (
    <li>
      <Icon name="out" />
      <div class="mailbox-name">
        <Link href={settingsPath('webhooks', id, site)} class="row-link">
          <bdi>{name}</bdi>
        </Link>
        <p class="soft" title={url}>
          {platformTexts[type]()} · <bdi>{url}</bdi>
        </p>
      </div>
      <div class="mailbox-health">
        <ChannelState channel={channel} />
        <LastDelivery channel={channel} />
      </div>
    </li>
  );
}

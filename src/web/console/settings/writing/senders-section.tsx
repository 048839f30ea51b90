// The addresses that a site writes from, and what stands under the replies of its agents.

import { Icon } from '../../../shared/icons.tsx';
import { RichHtml } from '../../../shared/rich-html.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { Link } from '../../route.ts';
import { can } from '../../session.ts';
import type { Edited } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { Sortable } from '../sortable.tsx';
import { t } from './messages.ts';
import { WordsField } from './placeholders.tsx';
import { usePreview } from './preview.tsx';
import { AddSender, SenderPage } from './sender-page.tsx';
import type { Sender } from './wire.ts';

export function SendersSection({ site, id }: SectionProps) {
  if (id === 'new' && can('manage')) return <AddSender site={site} />;
  return id === null ? <SenderList site={site} /> : <SenderPage site={site} id={id} />;
}

function SenderList({ site }: Pick<SectionProps, 'site'>) {
  const { shown, refusal, reload } = useLiveData<Sender[]>(`/sites/${site.id}/senders`);
  const senders = shown.value?.data ?? null;
  return (
    <>
      <SectionHead title={t.sendersAndSignatures} lead={t.sendersLead}>
        {can('manage') && (
          <Link href={settingsPath('writing', 'new', site)} class="button primary">
            <Icon name="plus" />
            {t.addSenderAddress}
          </Link>
        )}
      </SectionHead>
      <Loading of={{ shown, refusal, reload }} />
      {senders !== null && (
        <Sortable
          label={t.senders}
          rows={senders}
          nameOf={({ from }) => from.address}
          path={`/sites/${site.id}/senders`}
          canOrder={can('manage')}
          reload={reload}
        >
          {(sender) => (
            <>
              <div class="sortable-name">
                <Link href={settingsPath('writing', sender.id, site)} class="row-link">
                  <bdi>{sender.from.name}</bdi>
                </Link>
                <p class="soft" title={sender.from.address}>
                  <bdi>{sender.from.address}</bdi>
                </p>
              </div>
              {sender.is_default && <span class="badge">{t.isDefaultSender}</span>}
            </>
          )}
        </Sortable>
      )}
      <LastChange
        siteId={site.id}
        actions={['sender.created', 'sender.updated', 'sender.deleted', 'sender.ordered']}
        targetId={null}
        version={JSON.stringify(senders)}
      />
      <EqualCommand words={['helpdesk', 'sender', 'list', '--site', site.slug]} />
      <Signature site={site} />
    </>
  );
}

interface SignatureOfSite {
  settings: { signature: string | null };
}
interface SignatureValues {
  signature: string;
}

const valuesOf = ({ settings }: SignatureOfSite): SignatureValues => ({ signature: settings.signature ?? '' });
const signatureVariables = ['agent.signature', 'agent.name', 'site.name', 'ticket.reference'];

function Signature({ site }: Pick<SectionProps, 'site'>) {
  const path = `/sites/${site.id}`;
  const { shown, reload } = useLiveData<SignatureOfSite>(path);
  const found = shown.value;
  if (found === null) return null;
  const said = found.data.settings.signature;
  return (
    <section class="signature-settings" aria-labelledby="signature">
      <h2 id="signature">{t.siteSignature}</h2>
      <p class="soft">{t.signatureLead}</p>
      <SectionForm<SignatureValues, SignatureOfSite>
        label={t.siteSignature}
        name={`signature.${site.id}`}
        {...{ found, reload, valuesOf }}
        names={{ signature: t.siteSignature }}
        readOnly={can('manage') ? null : t.onlyManagersChange}
        problemsIn={({ fields }): Record<string, string> => {
          const [words] = Object.values(fields);
          return words === undefined ? {} : { signature: words.join(' ') };
        }}
        fields={['settings.signature']}
        put={({ signature }, etag) =>
          ask(
            'PATCH',
            path,
            { settings: { signature: signature.trim() === '' ? null : signature } },
            { 'If-Match': etag },
          )
        }
        said={() => t.signatureSaved}
      >
        {(form) => <SignatureFields form={form} path={path} />}
      </SectionForm>
      <LastChange siteId={site.id} actions={['site.updated']} targetId={site.id} version={found.etag} />
      <EqualCommand words={['helpdesk', 'site', 'update', site.slug, '--signature', said ?? 'none']} />
    </section>
  );
}

function SignatureFields({ form, path }: { form: Edited<SignatureValues>; path: string }) {
  const { signature } = form.values;
  const words = signature.trim() === '' ? null : signature;
  const { shown, problems } = usePreview<{ html: string }>(`${path}/signature/preview`, { signature: words });
  const field = form.field('signature');
  return (
    <>
      <WordsField
        label={t.signatureWords}
        rows={5}
        maxLength={2000}
        variables={signatureVariables}
        {...field}
        problem={field.problem ?? problems.value.signature}
      />
      <section class="mail-preview" aria-label={t.wordsPreview}>
        <h3>{t.wordsPreview}</h3>
        {shown.value !== null &&
          (shown.value.html === '' ? <p class="soft">{t.noSignature}</p> : <RichHtml html={shown.value.html} />)}
      </section>
    </>
  );
}

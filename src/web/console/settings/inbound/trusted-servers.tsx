// Servers whose word about a sender counts, and the topics of Amazon SES that may deliver.

import { TextArea } from '../../../shared/field.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { can } from '../../session.ts';
import type { Versioned } from '../live-data.ts';
import { t } from '../messages.ts';
import { SectionForm } from '../section-form.tsx';

const fields = ['trusted_mail_servers', 'trusted_arc_sealers', 'ses_topic_arns'] as const;
type Name = (typeof fields)[number];
/** One on each line. */
type Values = Record<Name, string>;
interface Whole {
  id: number;
  settings: Record<Name, string[]>;
}

const valuesOf = ({ settings }: Whole): Values => ({
  trusted_mail_servers: settings.trusted_mail_servers.join('\n'),
  trusted_arc_sealers: settings.trusted_arc_sealers.join('\n'),
  ses_topic_arns: settings.ses_topic_arns.join('\n'),
});

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const body = (values: Values) => ({
  settings: Object.fromEntries(fields.map((name) => [name, lines(values[name])])),
});

interface TrustedServersProps {
  found: Versioned<Whole>;
  reload: () => Promise<void>;
}

export function TrustedServers({ found, reload }: TrustedServersProps) {
  const { id } = found.data;
  return (
    <section class="inbound-way" aria-labelledby="trusted-servers">
      <h2 id="trusted-servers">{t.trustedServers}</h2>
      <p class="soft">{t.trustedServersLead}</p>
      <SectionForm<Values, Whole>
        label={t.trustedServers}
        name={`site.${id}.trusted`}
        {...{ found, reload, valuesOf }}
        names={{
          trusted_mail_servers: t.trustedMailServers,
          trusted_arc_sealers: t.trustedArcSealers,
          ses_topic_arns: t.sesTopics,
        }}
        put={(values, etag) => ask('PATCH', `/sites/${id}`, body(values), { 'If-Match': etag })}
        said={() => t.trustedServersSaved}
        problemsIn={({ fields: refused }) =>
          Object.fromEntries(
            Object.entries(refused).map(([path, said]) => [
              path.replace(/^settings\.(\w+).*$/, '$1'),
              path.includes('ses_topic')
                ? t.sesTopicRefused
                : path.includes('trusted')
                  ? t.serverNameRefused
                  : said.join(' '),
            ]),
          )
        }
        fields="all"
        readOnly={can('manage') ? null : t.onlyManagersChange}
      >
        {(form) => (
          <>
            <TextArea
              label={t.trustedMailServers}
              hint={t.trustedMailServersHint}
              rows={2}
              {...form.field('trusted_mail_servers')}
            />
            <TextArea
              label={t.trustedArcSealers}
              hint={t.trustedArcSealersHint}
              rows={2}
              {...form.field('trusted_arc_sealers')}
            />
            <TextArea label={t.sesTopics} hint={t.sesTopicsHint} rows={2} {...form.field('ses_topic_arns')} />
          </>
        )}
      </SectionForm>
    </section>
  );
}

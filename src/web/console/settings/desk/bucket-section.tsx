// The bucket for files: set here, or where the desk is started, which counts first.

import type { ComponentChildren } from 'preact';
import { type BucketFault, needsBucketSecret, type OwnBucket } from '../../../../domain/own-services.ts';
import type { EnvironmentSetting } from '../../../../http/wire/system.ts';
import type { Refusal } from '../../../shared/api.ts';
import { ChoiceField, PasswordField, TextField } from '../../../shared/field.tsx';
import { announce, Notice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useFetched } from '../../shell/fetched.ts';
import { Refused } from '../../shell/refused.tsx';
import type { Edited } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { TestBucket } from '../system/services.tsx';
import { Environment } from './environment.tsx';
import { t } from './messages.ts';

interface WithBucket {
  bucket: (OwnBucket & { folders: { name: string; is_own: boolean }[] }) | null;
}

export function BucketSection() {
  const live = useLiveData<WithBucket>('/desk');
  const { data, refusal, reload } = useFetched<{ data: EnvironmentSetting[] }>('/system/settings');
  const found = live.shown.value;
  const fixed = data.value?.data.filter(({ name, value }) => name.startsWith('HELPDESK_S3_') && value !== '') ?? null;
  const isFixed = fixed !== null && fixed.length > 0;
  const change = (bucket: object | null, etag: string) => ask('PATCH', '/desk', { bucket }, { 'If-Match': etag });
  const done = (said: string) => {
    announce(said);
    void live.reload();
  };
  const stored = found?.data.bucket ?? null;
  return (
    <>
      <SectionHead title={t.bucket} lead={t.bucketLead}>
        {found !== null && stored !== null && (
          <RemoveButton
            action={t.remove}
            title={t.removeBucketTitle}
            text={t.removeBucketText}
            send={() => change(null, found.etag)}
            onDone={() => done(t.bucketGone)}
          />
        )}
      </SectionHead>
      <Loading of={live} />
      {fixed === null && refusal.value !== null && <Refused refusal={refusal.value} onRetry={reload} />}
      {(isFixed || stored !== null) && <TestBucket />}
      {isFixed && (
        <>
          <Notice kind="hint">{t.bucketOfEnvironment}</Notice>
          <Environment settings={fixed} />
          <EqualCommand
            words={[
              ...['HELPDESK_S3_ENDPOINT=https://s3.example.org', 'HELPDESK_S3_BUCKET=desk-files'],
              ...['helpdesk', 'serve'],
            ]}
          />
        </>
      )}
      {found !== null && fixed !== null && !isFixed && <BucketForm found={found} reload={live.reload} />}
      {found !== null && stored !== null && stored.folders.length > 0 && (
        <Folders folders={stored.folders}>
          <RemoveButton
            action={t.takeFolders}
            title={t.takeFoldersTitle}
            text={t.takeFoldersText}
            send={() => change({ ...settingsOf(stored), takes_folders: true }, found.etag)}
            onDone={() => done(t.foldersTaken)}
          />
        </Folders>
      )}
      {found !== null && (
        <LastChange
          siteId={null}
          actions={['desk.updated']}
          targetId={null}
          fields={['bucket', 'bucket_folders']}
          version={found.etag}
        />
      )}
    </>
  );
}

interface FoldersProps {
  folders: { name: string; is_own: boolean }[];
  /** What can be done about those of others. */
  children: ComponentChildren;
}

function Folders({ folders, children }: FoldersProps) {
  const isShared = folders.some(({ is_own: isOwn }) => !isOwn);
  return (
    <section class="part" aria-labelledby="bucket-folders">
      <header class="section-head">
        <div>
          <h2 id="bucket-folders">{t.bucketFolders}</h2>
          <p class="soft">{isShared ? t.foldersShared : t.foldersLead}</p>
        </div>
        {isShared && <div class="section-actions">{children}</div>}
      </header>
      <ul class="panel environment">
        {folders.map(({ name, is_own: isOwn }) => (
          <li key={name}>
            <p>
              <code>{name}</code>
              <span class="soft">{isOwn ? t.folderOwn : t.folderForeign}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Values = Record<'endpoint' | 'bucket' | 'region' | 'key' | 'secret', string> & { home: 'bucket' | 'disk' };

const valuesOf = ({ bucket: stored }: WithBucket): Values => ({
  endpoint: stored?.endpoint ?? '',
  bucket: stored?.bucket ?? '',
  region: stored?.region ?? 'us-east-1',
  key: stored?.access_key_id ?? '',
  secret: '',
  home: stored?.stores_files === false ? 'disk' : 'bucket',
});

const settingsOf = ({ endpoint, bucket, region, access_key_id, stores_files }: OwnBucket): OwnBucket => ({
  ...{ endpoint, bucket, region, access_key_id, stores_files },
});

const bucketOf = ({ endpoint, bucket, region, key, home }: Values): OwnBucket => ({
  endpoint: endpoint.trim(),
  bucket: bucket.trim(),
  region: region.trim(),
  access_key_id: key.trim(),
  stores_files: home === 'bucket',
});

/** The command that sets the same. */
function commandOf(values: Values): string[] {
  const { endpoint, bucket, region, access_key_id: key, stores_files: storesFiles } = bucketOf(values);
  return [
    ...['helpdesk', 'desk', 'bucket', '--endpoint', endpoint || 'https://s3.example.org'],
    ...['--bucket', bucket || 'desk-files', '--region', region, '--access-key', key || 'desk'],
    ...(storesFiles ? [] : ['--stores-files', 'no']),
    ...(values.secret === '' ? [] : ['<', 'secret']),
  ];
}

const needsSecret = (before: Values, after: Values) =>
  needsBucketSecret(before.endpoint === '' ? null : bucketOf(before), bucketOf(after));

function missingIn(values: Values, before: Values): Record<string, string> {
  const required = (['endpoint', 'bucket', 'region', 'key'] as const).filter((name) => values[name].trim() === '');
  return {
    ...Object.fromEntries(required.map((name) => [name, t.required])),
    ...(values.secret === '' && needsSecret(before, values)
      ? { secret: before.endpoint === '' ? t.required : t.secretAgain }
      : {}),
  };
}

const faultTexts: Readonly<Record<`bucket_${BucketFault['reason']}`, () => string>> = {
  bucket_private: () => t.bucketPrivate,
  bucket_plain: () => t.bucketPlain,
  bucket_store: () => t.bucketFails,
};

/** The words of the store itself are in its own language. */
function problemsIn({ code, fields }: Refusal): Record<string, string> {
  const names: Record<string, string> = { access_key_id: 'key', secret_access_key: 'secret', stores_files: 'home' };
  const entries = Object.entries(fields).map(([path, [said = '']]) => {
    if (path === 'bucket') return ['endpoint', t.bucketOfCluster];
    const name = path.replace(/^bucket\./, '');
    if (!Object.hasOwn(faultTexts, code)) return [names[name] ?? name, said];
    const tried = code === 'bucket_store' ? said.split(' field is refused: ')[1] : '';
    return [name, `${faultTexts[code as keyof typeof faultTexts]()} ${tried ?? said}`.trim()];
  });
  return Object.fromEntries(entries);
}

function BucketForm({ found, reload }: { found: Versioned<WithBucket>; reload: () => Promise<void> }) {
  const { bucket: stored } = found.data;
  return (
    <>
      {stored === null && <p class="soft">{t.bucketNone}</p>}
      <SectionForm<Values, WithBucket>
        label={t.bucket}
        name="bucket"
        {...{ found, reload, valuesOf, problemsIn }}
        names={{
          ...{ endpoint: t.bucketEndpoint, bucket: t.bucketName, region: t.bucketRegion, key: t.bucketKey },
          home: t.newFiles,
        }}
        shown={(name, { home }) => (name === 'home' ? homeTexts()[home] : null)}
        secrets={['secret']}
        fields="all"
        check={missingIn}
        put={(values, etag) => {
          const { secret } = values;
          const bucket = { ...bucketOf(values), ...(secret === '' ? {} : { secret_access_key: secret }) };
          return ask('PATCH', '/desk', { bucket }, { 'If-Match': etag });
        }}
        said={() => t.bucketSaved}
        isUndoable={(before, sent) => before.endpoint !== '' && sent.secret === '' && !needsSecret(sent, before)}
        readOnly={null}
      >
        {(form) => (
          <>
            <Fields form={form} stored={stored} />
            <EqualCommand words={commandOf(form.values)} />
          </>
        )}
      </SectionForm>
    </>
  );
}

const homeTexts = () => ({ bucket: t.newFilesBucket, disk: t.newFilesDisk });

function Fields({ form, stored }: { form: Edited<Values>; stored: OwnBucket | null }) {
  const texts = homeTexts();
  return (
    <>
      {stored !== null && (
        <p>
          <bdi>
            {stored.endpoint}/{stored.bucket}
          </bdi>{' '}
          <span class="soft">{t.bucketOther}</span>
        </p>
      )}
      <div class="choices two">
        {stored === null && (
          <>
            <TextField label={t.bucketEndpoint} type="url" isRequired {...form.field('endpoint')} />
            <TextField label={t.bucketName} isCode isRequired maxLength={255} {...form.field('bucket')} />
          </>
        )}
        <TextField label={t.bucketRegion} hint={t.bucketRegionHint} isCode isRequired {...form.field('region')} />
        <TextField label={t.bucketKey} isCode isRequired maxLength={500} {...form.field('key')} />
        <PasswordField
          label={t.bucketSecret}
          autocomplete="off"
          maxLength={1000}
          hint={stored === null ? undefined : t.keepSecretHint}
          {...form.field('secret')}
        />
        <ChoiceField
          label={t.newFiles}
          hint={t.newFilesHint}
          options={(['bucket', 'disk'] as const).map((value) => ({ value, text: texts[value] }))}
          {...form.field('home')}
        />
      </div>
      {stored !== null && form.problems.value.endpoint !== undefined && (
        <Notice kind="problem">{form.problems.value.endpoint}</Notice>
      )}
      <p class="soft">{t.bucketTried}</p>
    </>
  );
}

// A part of a site's catalogue: its list in order, a new one, or one of them.

import { Icon } from '../../../shared/icons.tsx';
import { announce } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go, Link } from '../../route.ts';
import { can, type Site } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { NewForm } from '../new-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { t } from '../site/messages.ts';
import { Sortable } from '../sortable.tsx';
import { type CatalogueRow, flagsOf, type Noun } from './noun.ts';
import { OnePage, problemsOf, withTaken } from './one-page.tsx';

interface NounProps<Row extends CatalogueRow, Values extends object> {
  noun: Noun<Row, Values>;
  site: Site;
}

export function catalogueSection<Row extends CatalogueRow, Values extends object>(noun: Noun<Row, Values>) {
  return function CatalogueSection({ site, id }: SectionProps) {
    if (id === 'new' && can('manage')) return <AddPage noun={noun} site={site} />;
    return id === null ? <ListPage noun={noun} site={site} /> : <OnePage noun={noun} site={site} id={id} />;
  };
}

function ListPage<Row extends CatalogueRow, Values extends object>({ noun, site }: NounProps<Row, Values>) {
  const path = `/sites/${site.id}/${noun.path}`;
  const live = useLiveData<Row[]>(path);
  const rows = live.shown.value?.data ?? null;
  const texts = noun.texts();
  const { Mark } = noun;
  const ids = rows?.map(({ id }) => String(id)) ?? [];
  return (
    <>
      <SectionHead title={texts.title} lead={texts.lead}>
        {can('manage') && (
          <Link href={settingsPath(noun.path, 'new', site)} class="button primary">
            <Icon name="plus" />
            {texts.add}
          </Link>
        )}
      </SectionHead>
      <Loading of={live} />
      {rows?.length === 0 && (
        <Empty icon="stack" title={texts.none}>
          {texts.noneText}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <Sortable
          label={texts.title}
          rows={rows}
          nameOf={noun.nameOf}
          path={path}
          canOrder={can('manage')}
          reload={live.reload}
        >
          {(row) => (
            <>
              {Mark !== undefined && <Mark row={row} />}
              <div class="sortable-name">
                <Link href={settingsPath(noun.path, row.id, site)} class="row-link">
                  <bdi>{noun.nameOf(row)}</bdi>
                </Link>
                {noun.about(row) !== '' && <p class="soft">{noun.about(row)}</p>}
              </div>
              {noun.isDefault?.(row) && <span class="badge">{t.catalogueDefault}</span>}
              {!row.is_active && <span class="badge">{t.notInUse}</span>}
            </>
          )}
        </Sortable>
      )}
      {rows !== null && (
        <>
          <LastChange
            siteId={site.id}
            actions={[
              ...([`${noun.audit}.created`, `${noun.audit}.updated`] as const),
              ...([`${noun.audit}.deleted`, `${noun.audit}.ordered`] as const),
            ]}
            targetId={null}
            version={ids.join()}
          />
          <EqualCommand words={['helpdesk', noun.command, 'order', ...ids, '--site', site.slug]} />
        </>
      )}
    </>
  );
}

function AddPage<Row extends CatalogueRow, Values extends object>({ noun, site }: NounProps<Row, Values>) {
  const form = useNew(`${noun.path}.new.${site.id}`, noun.empty, problemsOf);
  const texts = noun.texts();
  const body = noun.bodyOf(form.values, true);

  async function add(): Promise<void> {
    const wrong = noun.check(form.values);
    if (Object.keys(wrong).length > 0) return form.refuse(wrong);
    const path = `/sites/${site.id}/${noun.path}`;
    const made = await form.send(async () => withTaken(await ask<{ data: Row }>('POST', path, body)));
    if (made === null) return;
    announce(t.catalogueAdded(noun.nameOf(made.data)));
    go(settingsPath(noun.path, undefined, site), { replace: true });
  }
  return (
    <>
      <NewForm
        form={form}
        title={texts.add}
        lead={texts.lead}
        fields={Object.keys(noun.empty)}
        list={settingsPath(noun.path, undefined, site)}
        action={t.addSender}
        onSubmit={() => void add()}
      >
        <noun.Fields form={form} isNew />
      </NewForm>
      <EqualCommand words={['helpdesk', noun.command, 'add', '--site', site.slug, ...flagsOf(filled(body))]} />
    </>
  );
}

/** What is left out is what the desk chooses. */
const filled = (body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );

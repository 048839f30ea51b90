// The screens of a kind of rule: all of a site in their order, a new one, and one of them.

import type { Answer } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { announce, announceRefusal, Notice } from '../../../shared/notices.tsx';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { ask } from '../../../shared/signed-in.ts';
import { go, Link } from '../../route.ts';
import { can, type Site } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import { offerUndo } from '../../undo.ts';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { NewForm } from '../new-form.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { Sortable } from '../sortable.tsx';
import type { AnyRule, RuleKind } from './kind.ts';
import { t } from './messages.ts';
import { type Names, useNames } from './names.ts';
import { RuleCounts } from './rule-counts.tsx';

interface OfKind<Row extends AnyRule, Values extends { name: string }> {
  kind: RuleKind<Row, Values>;
  site: Site;
}

export function RuleScreens<Row extends AnyRule, Values extends { name: string }>({
  kind,
  site,
  id,
}: SectionProps & OfKind<Row, Values>) {
  if (id === 'new' && can('manage')) return <AddPage kind={kind} site={site} />;
  return id === null ? <ListPage kind={kind} site={site} /> : <OnePage kind={kind} site={site} id={id} />;
}

const said = (answer: Answer<unknown>) => {
  if (!answer.isOk) announceRefusal(answer.refusal);
  return answer.isOk;
};

type Changing = { path: string; reload: () => Promise<void> };

async function turn({ id, name }: AnyRule, isOn: boolean, { path, reload }: Changing): Promise<void> {
  const put = async (is_active: boolean) => {
    const isDone = said(await ask('PATCH', `${path}/${id}`, { is_active }));
    await reload();
    return isDone;
  };
  if (await put(isOn)) offerUndo((isOn ? t.ruleOn : t.ruleOff)(name), async () => void (await put(!isOn)));
}

/** What the desk tells of a rule beside what is set. */
const told = ['id', 'last_30_days', 'runs', 'broken', 'next_at'];

/** It comes back at its place, under a new number. */
async function remove(row: AnyRule, { path, reload }: Changing): Promise<boolean> {
  const isDone = said(await ask('DELETE', `${path}/${row.id}`));
  const rule = Object.fromEntries(Object.entries(row).filter(([name]) => !told.includes(name)));
  await reload();
  if (isDone)
    offerUndo(t.ruleRemoved(row.name), async () => {
      if (said(await ask('POST', path, rule))) announce(t.changesTakenBack);
      await reload();
    });
  return isDone;
}

const pathOf = (site: Site, { path }: { path: string }) => `/sites/${site.id}/${path}`;

function ListPage<Row extends AnyRule, Values extends { name: string }>({ kind, site }: OfKind<Row, Values>) {
  const path = pathOf(site, kind);
  const live = useLiveData<Row[]>(path);
  const names = useNames(site.id);
  const rows = live.shown.value?.data ?? null;
  const { words, commands } = kind;
  return (
    <>
      <SectionHead title={words.title()} lead={words.lead()}>
        {can('manage') && (
          <Link href={settingsPath(kind.section, 'new', site)} class="button primary">
            <Icon name="plus" />
            {words.add()}
          </Link>
        )}
      </SectionHead>
      <Loading of={live} />
      {rows?.length === 0 && (
        <Empty icon="stack" title={words.none()}>
          {words.noneText()}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <Sortable
          label={words.title()}
          rows={rows}
          nameOf={({ name }) => name}
          path={path}
          canOrder={can('manage')}
          reload={live.reload}
        >
          {(row) => <ListRow {...{ kind, site, row, names }} change={{ path, reload: live.reload }} />}
        </Sortable>
      )}
      {rows !== null && (
        <>
          {!can('manage') && <p class="soft">{t.onlyManagersChange}</p>}
          <Changed
            {...{ kind, site }}
            targetId={null}
            version={JSON.stringify(rows.map(({ id, is_active: on }) => [id, on]))}
          />
          {rows[0] !== undefined && <Command site={site} words={commands.move?.(rows[0].id) ?? commands.list} />}
          {can('write') && kind.tester?.(site, names)}
        </>
      )}
    </>
  );
}

interface ListRowProps<Row extends AnyRule, Values extends { name: string }> {
  kind: RuleKind<Row, Values>;
  site: Site;
  row: Row;
  names: Names;
  change: Changing;
}

function ListRow<Row extends AnyRule, Values extends { name: string }>(props: ListRowProps<Row, Values>) {
  const { kind, site, row, names, change } = props;
  return (
    <>
      <div class="sortable-name rule-name">
        <Link href={settingsPath(kind.section, row.id, site)} class="row-link">
          <bdi>{row.name}</bdi>
        </Link>
        <p class="soft">{kind.sentenceOf(row, names)}</p>
        <RuleCounts counts={kind.countsOf(row)} isBroken={(kind.brokenOf?.(row) ?? null) !== null} />
      </div>
      {can('manage') ? (
        <span class="rule-actions">
          <input
            type="checkbox"
            class="switch"
            aria-label={t.ruleIsOn(row.name)}
            checked={row.is_active}
            onChange={({ currentTarget }) => void turn(row, currentTarget.checked, change)}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={t.removeRule(row.name)}
            title={t.removeRule(row.name)}
            onClick={() => void remove(row, change)}
          >
            <Icon name="close" />
          </button>
        </span>
      ) : (
        !row.is_active && <span class="badge">{t.ruleSwitchedOff}</span>
      )}
    </>
  );
}

interface ChangedProps {
  site: Site;
  kind: Pick<RuleKind<never, never>, 'noun'>;
  targetId: number | null;
  version: string;
}

function Changed({ site, kind: { noun }, ...props }: ChangedProps) {
  return (
    <LastChange
      siteId={site.id}
      actions={[
        ...([`${noun}.created`, `${noun}.updated`] as const),
        ...(props.targetId === null ? ([`${noun}.deleted`, `${noun}.ordered`] as const) : []),
      ]}
      {...props}
    />
  );
}

function Command({ site, words }: { site: Site; words: readonly string[] | null }) {
  return words === null ? null : <EqualCommand words={['helpdesk', 'rule', ...words, '--site', site.slug]} />;
}

function AddPage<Row extends AnyRule, Values extends { name: string }>({ kind, site }: OfKind<Row, Values>) {
  const form = useNew(`${kind.noun}.new.${site.id}`, kind.empty, fieldProblems);
  const names = useNames(site.id);
  const { words } = kind;

  async function add(): Promise<void> {
    const wrong = kind.problemsIn(form.values, names);
    if (Object.keys(wrong).length > 0) return form.refuse(wrong);
    const made = await form.send(() => ask<{ data: Row }>('POST', pathOf(site, kind), kind.bodyOf(form.values, names)));
    if (made === null) return;
    announce(t.ruleAdded(made.data.name));
    go(settingsPath(kind.section, undefined, site), { replace: true });
  }
  if (names.asked.shown.value === null) return <Loading of={names.asked} isOne />;
  const isWhole = Object.keys(kind.problemsIn(form.values, names)).every((path) => path === 'name');
  return (
    <>
      <NewForm
        form={form}
        title={words.add()}
        lead={words.lead()}
        fields={Object.keys(form.refusal.value?.fields ?? {})}
        list={settingsPath(kind.section, undefined, site)}
        action={t.addSender}
        onSubmit={() => void add()}
      >
        {kind.fields(form, names, true)}
      </NewForm>
      {isWhole && <Command site={site} words={kind.commands.add(form.values, names)} />}
    </>
  );
}

function OnePage<Row extends AnyRule, Values extends { name: string }>({
  kind,
  site,
  id,
}: OfKind<Row, Values> & { id: string }) {
  const list = pathOf(site, kind);
  const path = `${list}/${encodeURIComponent(id)}`;
  const live = useLiveData<Row>(path);
  const names = useNames(site.id);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  if (names.asked.shown.value === null) return <Loading of={names.asked} isOne />;
  const rule = found.data;
  const isOn = rule.is_active;
  const broken = kind.brokenOf?.(rule) ?? null;

  async function removeThis(): Promise<void> {
    const isDone = await remove(rule, { path: list, reload: async () => undefined });
    if (isDone) go(settingsPath(kind.section, undefined, site), { replace: true });
  }
  return (
    <>
      <SectionHead title={rule.name} lead={kind.sentenceOf(rule, names)}>
        {can('manage') && (
          <>
            <Button onClick={() => void turn(rule, !isOn, { path: list, reload: live.reload })}>
              {isOn ? t.ruleTurnOff : t.ruleTurnOn}
            </Button>
            <Button kind="danger" onClick={() => void removeThis()}>
              {t.remove}
            </Button>
          </>
        )}
      </SectionHead>
      {broken !== null && (
        <Notice kind="problem">
          <p>{t.ruleBrokenText}</p>
          <p lang="en">{broken}</p>
        </Notice>
      )}
      <SectionForm<Values, Row>
        label={rule.name}
        name={`${kind.noun}.${rule.id}`}
        {...{ found, reload: live.reload, valuesOf: kind.valuesOf }}
        names={kind.labels()}
        shown={(part, values) => kind.shown(part, values, names)}
        check={(values) => kind.problemsIn(values, names)}
        fields="all"
        put={(values, etag) => ask('PATCH', path, kind.bodyOf(values, names), { 'If-Match': etag })}
        said={({ name }) => t.siteSaved(name)}
        readOnly={can('manage') ? null : t.onlyManagersChange}
      >
        {(form) => {
          const isWhole = Object.keys(kind.problemsIn(form.values, names)).length === 0;
          return (
            <>
              {kind.fields(form, names, false)}
              {isWhole && (
                <Command site={site} words={kind.commands.change(rule.id, form.base.data, form.values, names)} />
              )}
            </>
          );
        }}
      </SectionForm>
      {kind.did(site, rule, names)}
      {can('write') && kind.tester?.(site, names, rule.id)}
      <Changed kind={kind} site={site} targetId={rule.id} version={found.etag} />
      <Command site={site} words={kind.commands.list} />
    </>
  );
}

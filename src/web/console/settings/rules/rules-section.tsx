// The rules of a site: what happens to mail before it becomes a ticket or a reply, in order.

import type { Answer } from '../../../shared/api.ts';
import { Button, Submit } from '../../../shared/button.tsx';
import { Form } from '../../../shared/form.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { announce, announceRefusal, SubmissionNotice } from '../../../shared/notices.tsx';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import { go, Link } from '../../route.ts';
import { can, type Site } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import { offerUndo } from '../../undo.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { Sortable } from '../sortable.tsx';
import { bodyOf, changesOf, emptyRule, flagsOf, problemsIn, type Rule, type RuleValues, valuesOf } from './draft.ts';
import { t } from './messages.ts';
import { RuleCounts, RuleMatches } from './rule-counts.tsx';
import { RuleFields } from './rule-fields.tsx';
import { Simulator } from './simulator.tsx';
import { partWords, sentenceOf, useNames } from './words.ts';

const pathOf = (site: Site) => `/sites/${site.id}/inbound-rules`;

export function RulesSection({ site, id }: SectionProps) {
  if (id === 'new' && can('manage')) return <AddPage site={site} />;
  return id === null ? <ListPage site={site} /> : <OnePage site={site} id={id} />;
}

const said = (answer: Answer<unknown>) => {
  if (!answer.isOk) announceRefusal(answer.refusal);
  return answer.isOk;
};

async function turn(site: Site, { id, name }: Rule, isOn: boolean, reload: () => Promise<void>): Promise<void> {
  const put = async (is_active: boolean) => {
    const isDone = said(await ask('PATCH', `${pathOf(site)}/${id}`, { is_active }));
    await reload();
    return isDone;
  };
  if (await put(isOn)) offerUndo((isOn ? t.ruleOn : t.ruleOff)(name), async () => void (await put(!isOn)));
}

/** It comes back at its place, under a new number. */
async function remove(
  site: Site,
  { id, last_30_days: _, ...rule }: Rule,
  reload: () => Promise<void>,
): Promise<boolean> {
  const isDone = said(await ask('DELETE', `${pathOf(site)}/${id}`));
  await reload();
  if (isDone)
    offerUndo(t.ruleRemoved(rule.name), async () => {
      if (said(await ask('POST', pathOf(site), rule))) announce(t.changesTakenBack);
      await reload();
    });
  return isDone;
}

function ListPage({ site }: { site: Site }) {
  const live = useLiveData<Rule[]>(pathOf(site));
  const names = useNames(site.id);
  const rows = live.shown.value?.data ?? null;
  return (
    <>
      <SectionHead title={t.rules} lead={t.rulesLead}>
        {can('manage') && (
          <Link href={settingsPath('rules', 'new', site)} class="button primary">
            <Icon name="plus" />
            {t.addRule}
          </Link>
        )}
      </SectionHead>
      <Loading of={live} />
      {rows?.length === 0 && (
        <Empty icon="stack" title={t.noRules}>
          {t.noRulesText}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <Sortable
          label={t.rules}
          rows={rows}
          nameOf={({ name }) => name}
          order={can('manage') ? (ids) => ask('PATCH', `${pathOf(site)}/order`, { ids }) : null}
          reload={live.reload}
        >
          {(row) => (
            <>
              <div class="sortable-name rule-name">
                <Link href={settingsPath('rules', row.id, site)} class="row-link">
                  <bdi>{row.name}</bdi>
                </Link>
                <p class="soft">{sentenceOf(row, names)}</p>
                <RuleCounts rule={row} />
              </div>
              {can('manage') ? (
                <span class="rule-actions">
                  <input
                    type="checkbox"
                    class="switch"
                    aria-label={t.ruleIsOn(row.name)}
                    checked={row.is_active}
                    onChange={({ currentTarget }) => void turn(site, row, currentTarget.checked, live.reload)}
                  />
                  <button
                    type="button"
                    class="icon-button"
                    aria-label={t.removeRule(row.name)}
                    title={t.removeRule(row.name)}
                    onClick={() => void remove(site, row, live.reload)}
                  >
                    <Icon name="close" />
                  </button>
                </span>
              ) : (
                !row.is_active && <span class="badge">{t.ruleSwitchedOff}</span>
              )}
            </>
          )}
        </Sortable>
      )}
      {rows !== null && (
        <>
          {!can('manage') && <p class="soft">{t.onlyManagersChange}</p>}
          <Changed
            site={site}
            targetId={null}
            version={JSON.stringify(rows.map(({ id, is_active: on }) => [id, on]))}
          />
          {rows[0] !== undefined && (
            <EqualCommand words={['helpdesk', 'rule', 'move', String(rows[0].id), '1', '--site', site.slug]} />
          )}
          {can('write') && <Simulator site={site} names={names} />}
        </>
      )}
    </>
  );
}

function Changed({ site, ...props }: { site: Site; targetId: number | null; version: string }) {
  return (
    <LastChange
      siteId={site.id}
      actions={[
        ...(['inbound_rule.created', 'inbound_rule.updated'] as const),
        ...(props.targetId === null ? (['inbound_rule.deleted', 'inbound_rule.ordered'] as const) : []),
      ]}
      {...props}
    />
  );
}

function AddCommand({ site, values }: { site: Site; values: RuleValues }) {
  const flags = Object.keys(problemsIn(values)).some((path) => path !== 'name') ? null : flagsOf(values);
  return flags === null ? null : <EqualCommand words={['helpdesk', 'rule', 'add', '--site', site.slug, ...flags]} />;
}

function AddPage({ site }: { site: Site }) {
  const form = useForm(emptyRule, fieldProblems);
  const names = useNames(site.id);

  async function add(): Promise<void> {
    const wrong = problemsIn(form.values);
    if (Object.keys(wrong).length > 0) return form.refuse(wrong);
    const made = await form.send(() => ask<{ data: Rule }>('POST', pathOf(site), bodyOf(form.values)));
    if (made === null) return;
    announce(t.ruleAdded(made.data.name));
    go(settingsPath('rules', undefined, site), { replace: true });
  }
  if (names.asked.shown.value === null) return <Loading of={names.asked} isOne />;
  return (
    <>
      <SectionHead title={t.addRule} lead={t.rulesLead} />
      <div class="panel">
        <Form submission={form} label={t.addRule} onSubmit={() => void add()}>
          <SubmissionNotice submission={form} fields={Object.keys(form.refusal.value?.fields ?? {})} />
          <RuleFields form={form} names={names} isNew />
          <div class="panel-actions">
            <Button onClick={() => go(settingsPath('rules', undefined, site))}>{t.cancel}</Button>
            <Submit submission={form}>{t.addSender}</Submit>
          </div>
        </Form>
      </div>
      <AddCommand site={site} values={form.values} />
    </>
  );
}

function OnePage({ site, id }: { site: Site; id: string }) {
  const path = `${pathOf(site)}/${encodeURIComponent(id)}`;
  const live = useLiveData<Rule>(path);
  const names = useNames(site.id);
  const found = live.shown.value;
  if (found === null || live.refusal.value?.status === 404) return <Loading of={live} isOne />;
  if (names.asked.shown.value === null) return <Loading of={names.asked} isOne />;
  const rule = found.data;
  const isOn = rule.is_active;

  async function removeThis(): Promise<void> {
    const isDone = await remove(site, rule, async () => undefined);
    if (isDone) go(settingsPath('rules', undefined, site), { replace: true });
  }
  return (
    <>
      <SectionHead title={rule.name} lead={sentenceOf(rule, names)}>
        {can('manage') && (
          <>
            <Button onClick={() => void turn(site, rule, !isOn, live.reload)}>
              {isOn ? t.ruleTurnOff : t.ruleTurnOn}
            </Button>
            <Button kind="danger" onClick={() => void removeThis()}>
              {t.remove}
            </Button>
          </>
        )}
      </SectionHead>
      <SectionForm<RuleValues, Rule>
        label={rule.name}
        name={`rule.${rule.id}`}
        {...{ found, reload: live.reload, valuesOf }}
        names={{
          ...{ name: t.name, match: t.ruleMatchLabel, conditions: t.ruleWhen, actions: t.ruleThen },
          stop_processing: t.ruleStopLabel,
        }}
        shown={(name, values) => partWords(name, values, names)}
        check={problemsIn}
        fields="all"
        put={(values, etag) => ask('PATCH', path, bodyOf(values), { 'If-Match': etag })}
        said={({ name }) => t.siteSaved(name)}
        readOnly={can('manage') ? null : t.onlyManagersChange}
      >
        {(form) => {
          const flags = Object.keys(problemsIn(form.values)).length > 0 ? null : changesOf(form.base.data, form.values);
          return (
            <>
              <RuleFields form={form} names={names} isNew={false} />
              {flags !== null && (
                <EqualCommand words={['helpdesk', 'rule', 'update', String(rule.id), '--site', site.slug, ...flags]} />
              )}
            </>
          );
        }}
      </SectionForm>
      <RuleMatches site={site} rule={rule} />
      {can('write') && <Simulator site={site} names={names} only={rule.id} />}
      <Changed site={site} targetId={rule.id} version={found.etag} />
      <EqualCommand words={['helpdesk', 'rule', 'list', '--site', site.slug]} />
    </>
  );
}

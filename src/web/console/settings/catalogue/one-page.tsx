// One category, priority or custom field: its fields, taking it out of use, and removing it.

import { useSignal } from '@preact/signals';
import type { Answer, Refusal } from '../../../shared/api.ts';
import { Button } from '../../../shared/button.tsx';
import { count } from '../../../shared/format.ts';
import { announce, announceRefusal, Notice } from '../../../shared/notices.tsx';
import { Question } from '../../../shared/question.tsx';
import { fieldProblems } from '../../../shared/refusal-text.ts';
import { ask } from '../../../shared/signed-in.ts';
import { useSubmission } from '../../../shared/submission.ts';
import { go } from '../../route.ts';
import { can, type Site } from '../../session.ts';
import { offerUndo } from '../../undo.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { settingsPath } from '../settings-route.ts';
import { t } from '../site/messages.ts';
import { type CatalogueRow, changedIn, changes, flagsOf, type Noun } from './noun.ts';

interface OneProps<Row extends CatalogueRow, Values extends object> {
  noun: Noun<Row, Values>;
  site: Site;
}

interface FoundProps<Row extends CatalogueRow, Values extends object> {
  noun: Noun<Row, Values>;
  site: Site;
  path: string;
  found: Versioned<Row>;
  reload: () => Promise<void>;
}

/** A taken slug or key is what is wrong with that field. */
export function withTaken<Data>(answer: Answer<Data>): Answer<Data> {
  if (answer.isOk) return answer;
  const field = { slug_taken: 'slug', key_taken: 'key' }[answer.refusal.code ?? ''];
  return field === undefined
    ? answer
    : { ...answer, refusal: { ...answer.refusal, fields: { [field]: [t.wordTaken] } } };
}

/** An entry of a list is wrong in the field that has the list. */
export const problemsOf = (refusal: Refusal) =>
  Object.fromEntries(Object.entries(fieldProblems(refusal)).map(([name, said]) => [name.replace(/\.\d+$/, ''), said]));

export function OnePage<Row extends CatalogueRow, Values extends object>({
  noun,
  site,
  id,
}: OneProps<Row, Values> & { id: string }) {
  const path = `/sites/${site.id}/${noun.path}/${encodeURIComponent(id)}`;
  const live = useLiveData<Row>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  const row = found.data;
  const words = ['helpdesk', noun.command, 'update', String(row.id), '--site', site.slug];
  return (
    <>
      <SectionHead title={noun.nameOf(row)} lead={noun.about(row)}>
        {can('manage') && <Actions {...{ noun, site, path, found }} reload={live.reload} />}
      </SectionHead>
      {!row.is_active && <Notice kind="hint">{t.notInUseText}</Notice>}
      <SectionForm<Values, Row>
        label={noun.nameOf(row)}
        name={`${noun.path}.${row.id}`}
        {...{ found, reload: live.reload, valuesOf: noun.valuesOf, names: noun.names(), check: noun.check }}
        put={async (values, etag) =>
          withTaken(await ask('PATCH', path, noun.bodyOf(values, false), { 'If-Match': etag }))
        }
        problemsIn={problemsOf}
        said={(saved) => t.siteSaved(noun.nameOf(saved))}
        readOnly={can('manage') ? null : t.onlyManagersChange}
      >
        {(form) => {
          const whole = noun.bodyOf(form.values, false);
          const changed = form.isChanged ? changedIn(noun.bodyOf(form.base.data, false), whole) : whole;
          return (
            <>
              <noun.Fields form={form} isNew={false} />
              <EqualCommand words={[...words, ...flagsOf(changed)]} />
            </>
          );
        }}
      </SectionForm>
      <LastChange siteId={site.id} actions={changes(noun.audit)} targetId={row.id} version={found.etag} />
    </>
  );
}

function Actions<Row extends CatalogueRow, Values extends object>(props: FoundProps<Row, Values>) {
  const { noun, path, found, reload } = props;
  const row = found.data;
  const acting = useSubmission();
  const isDefault = noun.isDefault?.(row) ?? false;

  async function setActive(isActive: boolean): Promise<boolean> {
    const isDone = (await acting.send(() => ask('PATCH', path, { is_active: isActive }))) !== null;
    if (!isDone && acting.refusal.value !== null) announceRefusal(acting.refusal.value);
    await reload();
    return isDone;
  }
  async function turn(): Promise<void> {
    const isActive = !row.is_active;
    const said = (isActive ? t.nowInUse : t.nowNotInUse)(noun.nameOf(row));
    if (await setActive(isActive)) offerUndo(said, async () => void (await setActive(!isActive)));
  }
  return (
    <>
      {noun.isDefault !== undefined && !isDefault && row.is_active && <MakeDefault {...props} />}
      {!isDefault && (
        <>
          <Button isBusy={acting.isBusy.value} onClick={() => void turn()}>
            {row.is_active ? t.takeOutOfUse : t.putIntoUse}
          </Button>
          <Remove {...props} />
        </>
      )}
    </>
  );
}

function MakeDefault<Row extends CatalogueRow, Values extends object>(props: FoundProps<Row, Values>) {
  const { noun, site, path, found, reload } = props;
  const acting = useSubmission();
  async function make(): Promise<void> {
    const before = await ask<{ data: { default_priority_id: number | null } }>('GET', `/sites/${site.id}`);
    if ((await acting.send(() => ask('PATCH', path, { is_default: true }))) === null) {
      if (acting.refusal.value !== null) announceRefusal(acting.refusal.value);
      return;
    }
    await reload();
    const old = before.isOk ? before.data.data.default_priority_id : null;
    if (old === null) return announce(t.nowDefault(noun.nameOf(found.data)));
    offerUndo(t.nowDefault(noun.nameOf(found.data)), async () => {
      const answer = await ask('PATCH', `/sites/${site.id}`, { default_priority_id: old });
      if (!answer.isOk) announceRefusal(answer.refusal);
      await reload();
    });
  }
  return (
    <Button isBusy={acting.isBusy.value} onClick={() => void make()}>
      {t.makeDefault}
    </Button>
  );
}

interface Counted {
  meta: { total: number; is_capped?: boolean };
}

function Remove<Row extends CatalogueRow, Values extends object>({ noun, site, path, found }: FoundProps<Row, Values>) {
  const row = found.data;
  const asking = useSubmission();
  const removing = useSubmission();
  const taken = useSignal<string | null>(null);

  /** First how many tickets have it. */
  async function look(): Promise<void> {
    const query = noun.ticketsOf?.(row);
    let tickets: string | null = null;
    if (query !== undefined) {
      const path = `/tickets?site_id=${site.id}&${query}&include_test=1&per_page=1`;
      const counted = await asking.send(() => ask<Counted>('GET', path));
      if (counted === null) {
        if (asking.refusal.value !== null) announceRefusal(asking.refusal.value);
        return;
      }
      const { total, is_capped: isCapped } = counted.meta;
      if (total > 0) tickets = t.ticketCount(count(total), isCapped === true);
    }
    const { text, isRefused } = noun.removal(row, tickets);
    if (isRefused) announce(text, 'problem');
    else taken.value = text;
  }
  async function remove(): Promise<void> {
    if ((await removing.send(() => ask('DELETE', path, undefined, { 'If-Match': found.etag }))) === null) return;
    announce(t.catalogueRemoved(noun.nameOf(row)));
    go(settingsPath(noun.path, undefined, site), { replace: true });
  }
  return (
    <>
      <Button kind="danger" isBusy={asking.isBusy.value} onClick={() => void look()}>
        {t.remove}
      </Button>
      {taken.value !== null && (
        <Question
          title={t.removeMailboxTitle(noun.nameOf(row))}
          text={taken.value}
          action={t.remove}
          submission={removing}
          onConfirm={() => void remove()}
          onClose={() => {
            taken.value = null;
            removing.clear();
          }}
        />
      )}
    </>
  );
}

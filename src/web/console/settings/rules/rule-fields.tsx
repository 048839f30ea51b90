// A rule as a sentence that is put together: when these conditions hold, then do this.

import { useId } from 'preact/hooks';
import { kindOfField, operatorsOf, ruleFields } from '../../../../domain/rules/fields.ts';
import { type RuleMatch, type RuleOperator, ruleActionTypes } from '../../../../domain/rules/rule.ts';
import { ruleLimits } from '../../../../domain/rules/wire-reading.ts';
import { ticketStatuses } from '../../../../domain/tickets/ticket.ts';
import { Button } from '../../../shared/button.tsx';
import { SwitchField, TextField } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import type { FormState } from '../../../shared/submission.ts';
import {
  type ActionDraft,
  anyHeader,
  type ConditionDraft,
  draftsIn,
  emptyAction,
  emptyCondition,
  kindOf,
  type RuleActionType,
  type RuleValues,
} from './draft.ts';
import { t } from './messages.ts';
import { actionWords, categoryOf, fieldWords, type Names, operatorWords, statusText } from './words.ts';

type RuleForm = FormState<RuleValues>;

const headerExample = 'List-Id';
const addressExample = 'mia@example.org';

interface RuleFieldsProps {
  form: RuleForm;
  names: Names;
  isNew: boolean;
}

export function RuleFields({ form, names, isNew }: RuleFieldsProps) {
  const { match, stop_processing: stops } = form.values;
  const conditions = useDrafts<ConditionDraft>(form, 'conditions');
  const actions = useDrafts<ActionDraft>(form, 'actions');
  return (
    <>
      <TextField label={t.name} isRequired isFirst={isNew} maxLength={ruleLimits.name} {...form.field('name')} />
      <fieldset class="rule-part">
        <legend>{t.ruleWhen}</legend>
        {conditions.drafts.length > 1 && (
          <select
            aria-label={t.ruleMatchLabel}
            value={match}
            onChange={({ currentTarget }) => form.change({ match: currentTarget.value as RuleMatch })}
          >
            <option value="all">{t.ruleMatchAll}</option>
            <option value="any">{t.ruleMatchAny}</option>
          </select>
        )}
        {conditions.drafts.length === 0 && <p class="soft">{t.ruleEveryMessage}</p>}
        <ul>
          {conditions.drafts.map((draft, at) => (
            <ConditionRow key={at} {...{ draft, names, form }} at={at} {...conditions.at(at)} />
          ))}
        </ul>
        <Problem text={form.problems.value.conditions} />
        {conditions.drafts.length < ruleLimits.conditions && (
          <Button kind="quiet" onClick={() => conditions.add(emptyCondition)}>
            <Icon name="plus" /> {t.addCondition}
          </Button>
        )}
      </fieldset>
      <fieldset class="rule-part">
        <legend>{t.ruleThen}</legend>
        <ul>
          {actions.drafts.map((draft, at) => (
            <ActionRow key={at} {...{ draft, names, form }} at={at} {...actions.at(at)} />
          ))}
        </ul>
        <Problem text={form.problems.value.actions} />
        {actions.drafts.length < ruleLimits.actions && (
          <Button kind="quiet" onClick={() => actions.add(emptyAction)}>
            <Icon name="plus" /> {t.addAction}
          </Button>
        )}
      </fieldset>
      <SwitchField
        label={t.ruleStopLabel}
        hint={t.ruleStopHint}
        isOn={stops}
        onChange={(isOn) => form.change({ stop_processing: isOn })}
      />
    </>
  );
}

function useDrafts<Draft extends object>(form: RuleForm, list: 'conditions' | 'actions') {
  const drafts = draftsIn<Draft>(form.values[list]);
  const put = (changed: readonly Draft[]) => form.change({ [list]: JSON.stringify(changed) });
  return {
    drafts,
    add(draft: Draft) {
      form.forget(list);
      put([...drafts, draft]);
    },
    at: (at: number) => ({
      change(changed: Partial<Draft>) {
        for (const path of Object.keys(form.problems.peek())) if (path.startsWith(`${list}.${at}.`)) form.forget(path);
        put(drafts.with(at, { ...(drafts[at] as Draft), ...changed }));
      },
      remove() {
        // The others move up, and what was said of them no longer stands beside them.
        form.clear();
        put(drafts.toSpliced(at, 1));
      },
    }),
  };
}

function Problem({ text, id }: { text: string | undefined; id?: string }) {
  if (text === undefined) return null;
  return (
    <p class="field-problem" id={id}>
      <Icon name="alert" />
      <span>{text}</span>
    </p>
  );
}

interface RowProps<Draft> {
  draft: Draft;
  names: Names;
  form: RuleForm;
  at: number;
  change: (changed: Partial<Draft>) => void;
  remove: () => void;
}

/** What is wrong with a row, wherever in it the desk says so. */
function problemsOf({ form, at }: Pick<RowProps<unknown>, 'form' | 'at'>, list: 'conditions' | 'actions') {
  const found = Object.entries(form.problems.value).filter(([path]) => path.startsWith(`${list}.${at}.`));
  const of = (part: string) => found.some(([path]) => path.startsWith(`${list}.${at}.${part}`));
  return { text: found.length === 0 ? undefined : found.map(([, said]) => said).join(' '), of };
}

/** Fields have other operators, and then another value. */
function withField(draft: ConditionDraft, field: string): Partial<ConditionDraft> {
  const kind = kindOf({ field });
  const isSame = kind === kindOf(draft) && field !== 'site_category' && draft.field !== 'site_category';
  const operator = operatorsOf(kind).includes(draft.operator) ? draft.operator : (operatorsOf(kind)[0] ?? 'exists');
  return { field, operator, ...(isSame ? {} : { value: kind === 'boolean' ? 'true' : '' }) };
}

function ConditionRow(props: RowProps<ConditionDraft>) {
  const { draft, at, change, remove } = props;
  const id = useId();
  const number = count(at + 1);
  const problem = problemsOf(props, 'conditions');
  const described = problem.text === undefined ? undefined : id;
  const kind = kindOf(draft);
  return (
    <li class="rule-row">
      <select
        aria-label={t.conditionField(number)}
        value={draft.field}
        onChange={({ currentTarget }) => change(withField(draft, currentTarget.value))}
      >
        {ruleFields.map((field) => (
          <option key={field} value={field}>
            {fieldWords[field]?.() ?? field}
          </option>
        ))}
      </select>
      {draft.field === anyHeader && (
        <input
          type="text"
          class="code-text"
          aria-label={t.headerName(number)}
          placeholder={headerExample}
          maxLength={120}
          spellcheck={false}
          value={draft.header}
          aria-invalid={problem.of('field') || undefined}
          aria-describedby={described}
          onInput={({ currentTarget }) => change({ header: currentTarget.value })}
        />
      )}
      <select
        aria-label={t.conditionOperator(number)}
        value={`${draft.negate ? 'not ' : ''}${draft.operator}`}
        onChange={({ currentTarget: { value } }) => {
          const operator = value.replace('not ', '') as RuleOperator;
          change({ operator, negate: value.startsWith('not '), ...(kind === 'boolean' ? { value: 'true' } : {}) });
        }}
      >
        {operatorsOf(kind).flatMap((operator) =>
          operatorWords[operator]().map((text, turned) => (
            <option key={text} value={`${turned === 1 ? 'not ' : ''}${operator}`}>
              {text}
            </option>
          )),
        )}
      </select>
      <ConditionValue {...props} isWrong={problem.of('value')} described={described} label={t.conditionValue(number)} />
      <RemoveRow label={t.removeCondition(number)} remove={remove} />
      <Problem text={problem.text} id={id} />
    </li>
  );
}

interface ValueProps {
  isWrong: boolean;
  described: string | undefined;
  label: string;
}

function ConditionValue({ draft, names, change, ...props }: RowProps<ConditionDraft> & ValueProps) {
  const { operator, value, field } = draft;
  if (operator === 'exists') return null;
  const put = (typed: string) => change({ value: typed });
  if (kindOfField(field) === 'boolean')
    return (
      <Choice
        {...{ ...props, value, put }}
        options={[
          { value: 'true', text: t.valueYes },
          { value: 'false', text: t.valueNo },
        ]}
      />
    );
  if (field === 'site_category' && operator === 'equals') {
    const found = categoryOf(names, value);
    return (
      <Choice
        {...{ ...props, put }}
        value={found === undefined ? value : String(found.id)}
        options={(names.set_category ?? []).map(({ id, name }) => ({ value: String(id), text: name }))}
      />
    );
  }
  if (operator === 'in') return <Lines {...{ ...props, value, put }} placeholder={t.oneALine} />;
  const typed = <Line {...{ ...props, value, put }} isCode={operator === 'matches'} />;
  return field === 'size' ? (
    <span class="rule-unit">
      {typed} <span class="soft">{t.ruleKilobytes}</span>
    </span>
  ) : (
    typed
  );
}

function ActionRow(props: RowProps<ActionDraft>) {
  const { draft, at, change, remove } = props;
  const id = useId();
  const number = count(at + 1);
  const problem = problemsOf(props, 'actions');
  const described = problem.text === undefined ? undefined : id;
  return (
    <li class="rule-row">
      <select
        aria-label={t.actionKind(number)}
        value={draft.type}
        onChange={({ currentTarget }) => change({ type: currentTarget.value as RuleActionType, value: '', name: '' })}
      >
        {ruleActionTypes.map((type) => (
          <option key={type} value={type}>
            {actionWords[type]()}
          </option>
        ))}
      </select>
      <ActionValue {...props} isWrong={problem.of('value')} described={described} label={t.actionValue(number)} />
      <RemoveRow label={t.removeAction(number)} remove={remove} />
      <Problem text={problem.text} id={id} />
    </li>
  );
}

function ActionValue({ draft, names, change, ...props }: RowProps<ActionDraft> & ValueProps) {
  const { type, value } = draft;
  const all = { ...props, value, put: (typed: string) => change({ value: typed }) };
  switch (type) {
    case 'set_category':
    case 'set_priority':
    case 'set_sender':
    case 'assign':
      return (
        <Choice
          {...all}
          options={[
            ...(type === 'assign' ? [{ value: 'round_robin', text: t.ruleInTurn }] : []),
            ...(names[type] ?? []).map(({ id, name }) => ({ value: String(id), text: name })),
          ]}
        />
      );
    case 'set_status':
      return <Choice {...all} options={ticketStatuses.map((one) => ({ value: one, text: statusText(one) }))} />;
    case 'note':
      return <Lines {...all} placeholder={t.noteTextHint} />;
    case 'set_metadata':
      return <Lines {...all} placeholder={t.metadataHint} />;
    case 'add_participant':
      return (
        <>
          <Line {...all} placeholder={addressExample} />
          <Line
            {...all}
            isWrong={false}
            label={t.participantName(props.label)}
            placeholder={t.participantNameHint}
            value={draft.name}
            put={(name) => change({ name })}
          />
        </>
      );
    case 'add_tags':
      return <Line {...all} placeholder={t.tagsExample} />;
    case 'forward':
      return <Line {...all} placeholder={addressExample} />;
    case 'discard':
      return <Line {...all} placeholder={t.discardReason} />;
  }
}

interface InputProps extends ValueProps {
  value: string;
  put: (value: string) => void;
  placeholder?: string;
}

const marks = ({ label, isWrong, described }: ValueProps) => ({
  ...{ 'aria-label': label, 'aria-invalid': isWrong || undefined, 'aria-describedby': described },
});

function Line({ value, put, placeholder, isCode = false, ...props }: InputProps & { isCode?: boolean }) {
  return (
    <input
      type="text"
      class={isCode ? 'code-text' : undefined}
      dir="auto"
      autocapitalize="none"
      spellcheck={false}
      {...{ value, placeholder, ...marks(props) }}
      onInput={({ currentTarget }) => put(currentTarget.value)}
    />
  );
}

function Lines({ value, put, placeholder, ...props }: InputProps) {
  return (
    <textarea
      rows={3}
      dir="auto"
      {...{ value, placeholder, ...marks(props) }}
      onInput={({ currentTarget }) => put(currentTarget.value)}
    />
  );
}

function Choice({
  value,
  put,
  options,
  ...props
}: InputProps & { options: readonly { value: string; text: string }[] }) {
  const isKnown = options.some((one) => one.value === value);
  return (
    <select {...{ value, ...marks(props) }} onChange={({ currentTarget }) => put(currentTarget.value)}>
      {!isKnown && <option value={value}>{value === '' ? t.ruleChoose : t.ruleGone(value)}</option>}
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.text}
        </option>
      ))}
    </select>
  );
}

function RemoveRow({ label, remove }: { label: string; remove: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={remove}>
      <Icon name="close" />
    </button>
  );
}

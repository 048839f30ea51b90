// A rule as a sentence that is put together: when these conditions hold, then do this.

import { type ComponentChildren, Fragment } from 'preact';
import { useId } from 'preact/hooks';
import type { RuleMatch } from '../../../../domain/rules/rule.ts';
import { ruleVariables } from '../../../../domain/rules/templates.ts';
import { ruleLimits } from '../../../../domain/rules/wire-reading.ts';
import { Button } from '../../../shared/button.tsx';
import { SwitchField, TextField } from '../../../shared/field.tsx';
import { count } from '../../../shared/format.ts';
import { Icon } from '../../../shared/icons.tsx';
import type { FormState } from '../../../shared/submission.ts';
import { type ActionDraft, type ActionType, emptyAction, partPath } from './action-rows.ts';
import {
  type ConditionDraft,
  draftsIn,
  emptyCondition,
  type GroupDraft,
  isGroup,
  isList,
  isWithoutValue,
  type PartDraft,
  type RuleParts,
  valueOfChoice,
} from './draft.ts';
import { Line, Lines, Pick as PickOne, Several } from './inputs.tsx';
import { t } from './messages.ts';
import type { Names } from './names.ts';
import { linesIn, yesOrNo } from './value-parts.tsx';
import { anyHeader, headerOf, type Operator, operatorWords, type Vocabulary } from './vocabulary.ts';

/** Of any kind of rule that has these parts. */
type PartsForm = Pick<FormState<RuleParts>, 'values' | 'change' | 'field' | 'problems' | 'forget' | 'clear'>;

interface RuleFieldsProps {
  form: PartsForm;
  vocabulary: Vocabulary;
  names: Names;
  isNew: boolean;
  /** Between the name and the conditions: what sets it off. */
  children?: ComponentChildren;
}

export function RuleFields({ form, vocabulary, names, isNew, children }: RuleFieldsProps) {
  const { match } = form.values;
  const rows = { form, vocabulary, names };
  const conditions = listIn<PartDraft>(form, 'conditions', draftsIn(form.values.conditions), (all) =>
    form.change({ conditions: JSON.stringify(all) }),
  );
  const actions = listIn<ActionDraft>(form, 'actions', draftsIn(form.values.actions), (all) =>
    form.change({ actions: JSON.stringify(all) }),
  );
  return (
    <>
      <TextField label={t.name} isRequired isFirst={isNew} maxLength={ruleLimits.name} {...form.field('name')} />
      {children}
      <fieldset class="rule-part">
        <legend>{children === undefined ? t.ruleWhen : t.ruleIf}</legend>
        {conditions.drafts.length > 1 && (
          <Matching label={t.ruleMatchLabel} match={match} put={(all) => form.change({ match: all })} />
        )}
        {conditions.drafts.length === 0 && <p class="soft">{vocabulary.always()}</p>}
        <ul>
          {conditions.drafts.map((draft, at) =>
            isGroup<GroupDraft>(draft) ? (
              <GroupRow key={at} {...rows} draft={draft} number={count(at + 1)} {...conditions.at(at)} />
            ) : (
              <ConditionRow key={at} {...rows} draft={draft} number={count(at + 1)} {...conditions.at(at)} />
            ),
          )}
        </ul>
        <Problem text={form.problems.value.conditions} />
        {conditions.drafts.length < ruleLimits.conditions && (
          <div class="rule-adding">
            <Add text={t.addCondition} add={() => conditions.add(emptyCondition)} />
            {vocabulary.isOfTickets && (
              <Add
                text={t.addGroup}
                add={() => conditions.add({ match: 'any', conditions: [emptyCondition, emptyCondition] })}
              />
            )}
          </div>
        )}
      </fieldset>
      <fieldset class="rule-part">
        <legend>{t.ruleThen}</legend>
        <ul>
          {actions.drafts.map((draft, at) => (
            <ActionRow key={at} {...rows} draft={draft} number={count(at + 1)} {...actions.at(at)} />
          ))}
        </ul>
        <Problem text={form.problems.value.actions} />
        {vocabulary.isOfTickets && actions.drafts.some(({ type }) => vocabulary.rows[type].hasVariables) && (
          <Variables names={names} />
        )}
        {actions.drafts.length < ruleLimits.actions && (
          <Add text={t.addAction} add={() => actions.add(emptyAction('set_category'))} />
        )}
      </fieldset>
    </>
  );
}

interface RulePartProps {
  label: string;
  problem: string | undefined;
  children: (described: string | undefined) => ComponentChildren;
}

/** The fields beside the conditions and actions. */
export function RulePart({ label, problem, children }: RulePartProps) {
  const id = useId();
  return (
    <fieldset class="rule-part">
      <legend>{label}</legend>
      {children(problem === undefined ? undefined : id)}
      <Problem text={problem} id={id} />
    </fieldset>
  );
}

export function StopField({ form }: { form: Pick<FormState<{ stop_processing: boolean }>, 'field'> }) {
  return <SwitchField label={t.ruleStopLabel} hint={t.ruleStopHint} {...form.field('stop_processing')} />;
}

/** A list of drafts at a path of the form. */
function listIn<Draft extends object>(
  form: PartsForm,
  path: string,
  drafts: readonly Draft[],
  put: (all: readonly Draft[]) => void,
) {
  return {
    drafts,
    add(draft: Draft) {
      form.forget(path);
      put([...drafts, draft]);
    },
    at: (at: number) => ({
      path: `${path}.${at}`,
      change(changed: Partial<Draft>) {
        for (const one of Object.keys(form.problems.peek())) if (one.startsWith(`${path}.${at}.`)) form.forget(one);
        put(drafts.with(at, { ...(drafts[at] as Draft), ...changed }));
      },
      remove() {
        // The rows below move up, so problems would stand at the wrong rows.
        form.clear();
        put(drafts.toSpliced(at, 1));
      },
    }),
  };
}

function Matching({ label, match, put }: { label: string; match: RuleMatch; put: (match: RuleMatch) => void }) {
  return (
    <select aria-label={label} value={match} onChange={({ currentTarget }) => put(currentTarget.value as RuleMatch)}>
      <option value="all">{t.ruleMatchAll}</option>
      <option value="any">{t.ruleMatchAny}</option>
    </select>
  );
}

function Add({ text, label, add }: { text: string; label?: string; add: () => void }) {
  return (
    <Button kind="quiet" {...(label === undefined ? {} : { label })} onClick={add}>
      <Icon name="plus" /> {text}
    </Button>
  );
}

function Variables({ names: { fields } }: { names: Names }) {
  const all = [...ruleVariables, ...fields.map(({ key }) => `field.${key}`)];
  return (
    <details class="rule-variables soft">
      <summary>{t.ruleVariables}</summary>
      <p>
        {all.map((one) => (
          <code key={one}>{`{{${one}}}`}</code>
        ))}
      </p>
    </details>
  );
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
  vocabulary: Vocabulary;
  names: Names;
  form: PartsForm;
  /** Among its neighbours, such as 2, or 2.1 in a group. */
  number: string;
  path: string;
  change: (changed: Partial<Draft>) => void;
  remove: () => void;
}

/** The problems of a row, at any depth. */
function problemsOf({ form, path }: Pick<RowProps<unknown>, 'form' | 'path'>) {
  const found = Object.entries(form.problems.value).filter(([one]) => one.startsWith(`${path}.`));
  const isAt = (wanted: string) => found.some(([one]) => one === wanted || one.startsWith(`${wanted}.`));
  return { text: found.length === 0 ? undefined : [...new Set(found.map(([, said]) => said))].join(' '), isAt };
}

/** Conditions in brackets. */
function GroupRow({ draft, change, remove, number, path, ...props }: RowProps<GroupDraft>) {
  const { form } = props;
  const list = listIn<ConditionDraft>(form, `${path}.conditions`, draft.conditions, (conditions) =>
    conditions.length === 0 ? remove() : change({ conditions }),
  );
  return (
    <li class="rule-group">
      <div class="rule-row">
        <Matching label={t.groupMatchLabel(number)} match={draft.match} put={(match) => change({ match })} />
        <RemoveRow label={t.removeGroup(number)} remove={remove} />
      </div>
      <ul>
        {list.drafts.map((one, at) => (
          <ConditionRow key={at} {...props} draft={one} number={`${number}.${count(at + 1)}`} {...list.at(at)} />
        ))}
      </ul>
      <Problem text={form.problems.value[`${path}.conditions`]} />
      <Add text={t.addCondition} label={t.addConditionTo(number)} add={() => list.add(emptyCondition)} />
    </li>
  );
}

/** Fields have other operators, and then another value. */
function withField(draft: ConditionDraft, field: string, { kindOf, operators, choices }: Vocabulary, names: Names) {
  const kind = kindOf(field, names);
  const all = operators(field, names);
  const isFree = (one: string) => choices(one, names) === null;
  const isSame = kind === kindOf(draft.field, names) && isFree(field) && isFree(draft.field);
  const isNaming = draft.operator === 'equals' || isList(draft.operator) || isWithoutValue(draft.operator);
  // What has names is first asked whether it is one of them.
  const isKept = all.includes(draft.operator) && (isFree(field) || isNaming);
  const operator = isKept ? draft.operator : (all[0] ?? 'equals');
  return { field, operator, ...(isSame ? {} : { value: kind === 'boolean' ? 'true' : '' }) };
}

function ConditionRow(props: RowProps<ConditionDraft>) {
  const { draft, number, change, remove, path, vocabulary, names } = props;
  const id = useId();
  const problem = problemsOf(props);
  const described = problem.text === undefined ? undefined : id;
  const header = headerOf(draft.field);
  const option = header === null ? draft.field : anyHeader;
  const isBoolean = vocabulary.kindOf(draft.field, names) === 'boolean';
  return (
    <li class="rule-row">
      <PickOne
        label={t.conditionField(number)}
        value={option}
        put={(field) => change(withField(draft, field === anyHeader ? 'header:' : field, vocabulary, names))}
        isWrong={header === null && problem.isAt(`${path}.field`)}
        described={described}
        options={vocabulary.fields(names)}
      />
      {header !== null && (
        <input
          type="text"
          class="code-text"
          aria-label={t.headerName(number)}
          placeholder={headerExample}
          maxLength={120}
          spellcheck={false}
          value={header}
          aria-invalid={problem.isAt(`${path}.field`) || undefined}
          aria-describedby={described}
          onInput={({ currentTarget }) => change({ field: `header:${currentTarget.value}` })}
        />
      )}
      <select
        aria-label={t.conditionOperator(number)}
        value={`${draft.negate ? 'not ' : ''}${draft.operator}`}
        onChange={({ currentTarget: { value } }) => {
          const operator = value.replace('not ', '') as Operator;
          const isTyped = isWithoutValue(draft.operator) && isBoolean;
          change({ operator, negate: value.startsWith('not '), ...(isTyped ? { value: 'true' } : {}) });
        }}
      >
        {vocabulary.operators(draft.field, names).flatMap((operator) =>
          operatorWords[operator]().map((text, turned) => (
            <option key={text} value={`${turned === 1 ? 'not ' : ''}${operator}`}>
              {text}
            </option>
          )),
        )}
      </select>
      <ConditionValue
        {...props}
        isWrong={problem.isAt(`${path}.value`)}
        described={described}
        label={t.conditionValue(number)}
      />
      <RemoveRow label={t.removeCondition(number)} remove={remove} />
      <Problem text={problem.text} id={id} />
    </li>
  );
}

const headerExample = 'List-Id';

interface ValueProps {
  isWrong: boolean;
  described: string | undefined;
  label: string;
}

function ConditionValue(props: RowProps<ConditionDraft> & ValueProps) {
  const { draft, names, vocabulary, change, isWrong, described, label } = props;
  const { operator, value, field } = draft;
  if (isWithoutValue(operator)) return null;
  const input = { isWrong, described, label, value, put: (typed: string) => change({ value: typed }) };
  const choices = vocabulary.choices(field, names);
  const known = (typed: string) => valueOfChoice(typed, field, names);
  if (vocabulary.kindOf(field, names) === 'boolean') return <PickOne {...input} options={yesOrNo()} />;
  if (choices !== null && isList(operator))
    return <Several {...input} value={linesIn(value).map(known).join('\n')} options={choices} separator={'\n'} />;
  if (choices !== null && operator === 'equals') return <PickOne {...input} value={known(value)} options={choices} />;
  if (isList(operator)) return <Lines {...input} placeholder={t.oneALine} />;
  const typed = <Line {...input} isCode={operator === 'matches'} />;
  return field === 'size' ? (
    <span class="rule-unit">
      {typed} <span class="soft">{t.ruleKilobytes}</span>
    </span>
  ) : (
    typed
  );
}

function ActionRow(props: RowProps<ActionDraft>) {
  const { draft, number, change, remove, path, vocabulary, names } = props;
  const id = useId();
  const problem = problemsOf(props);
  const described = problem.text === undefined ? undefined : id;
  const { parts, isShort = false } = vocabulary.rows[draft.type];
  const isLong = Object.keys(parts).length > 1 && !isShort;
  const inputs = Object.entries(parts).map(([name, part]) => {
    const input = part.input({
      label: part.label === undefined ? t.actionValue(number) : t.actionPart(number, part.label()),
      value: draft.typed[name] ?? '',
      put: (typed) => change({ typed: { ...draft.typed, [name]: typed } }),
      isWrong: problem.isAt(partPath(path, name)),
      ...{ described, names, typed: draft.typed, change: (typed) => change({ typed }) },
    });
    return isLong ? (
      <div key={name}>
        <span class="soft" aria-hidden="true">
          {part.label?.()}
        </span>
        {input}
      </div>
    ) : (
      <Fragment key={name}>{input}</Fragment>
    );
  });
  return (
    <li class="rule-row">
      <select
        aria-label={t.actionKind(number)}
        value={draft.type}
        onChange={({ currentTarget }) => change(emptyAction(currentTarget.value as ActionType))}
      >
        {vocabulary.actions.map((type) => (
          <option key={type} value={type}>
            {vocabulary.rows[type].words()}
          </option>
        ))}
      </select>
      {!isLong && inputs}
      <RemoveRow label={t.removeAction(number)} remove={remove} />
      {isLong && <div class="rule-named">{inputs}</div>}
      <Problem text={problem.text} id={id} />
    </li>
  );
}

function RemoveRow({ label, remove }: { label: string; remove: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={remove}>
      <Icon name="close" />
    </button>
  );
}

// The macros of a site: those that an agent can apply there, in their order, and a new one.

import { useSignal } from '@preact/signals';
import { bound } from '../../../shared/bound.ts';
import { TextField } from '../../../shared/field.tsx';
import { Icon } from '../../../shared/icons.tsx';
import { announce } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go, Link } from '../../route.ts';
import { can, type Site } from '../../session.ts';
import { Empty } from '../../shell/empty.tsx';
import type { Macro } from '../../wire.ts';
import { useNew } from '../edited.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { NewForm } from '../new-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { type SectionProps, settingsPath } from '../settings-route.ts';
import { MacroFields } from './macro-fields.tsx';
import { MacroPage } from './macro-page.tsx';
import { bodyOf, createCommand, newMacro, problemsOf, valuesOf, wrongIn } from './macro-values.ts';
import { doneBy, keysFor, useKnown } from './macro-words.ts';
import { t } from './messages.ts';

export function MacrosSection({ site, id }: SectionProps) {
  if (id === 'new' && can('write')) return <AddMacro key={site.id} site={site} />;
  return id === null ? <MacroList site={site} /> : <MacroPage site={site} id={id} />;
}

/** With a field to find one, where there are many. */
const findAbove = 15;

function MacroList({ site }: { site: Site }) {
  const live = useLiveData<Macro[]>(`/macros?site_id=${site.id}`);
  const known = useKnown(site.id);
  const wanted = useSignal('');
  const macros = live.shown.value?.data ?? null;
  const words = wanted.value.trim().toLowerCase();
  const shown = macros?.filter(({ name, body }) => `${name}\n${body}`.toLowerCase().includes(words)) ?? [];
  return (
    <>
      <SectionHead title={t.macrosTitle} lead={t.macrosLead}>
        {can('write') && (
          <Link href={settingsPath('macros', 'new', site)} class="button primary">
            <Icon name="plus" />
            {t.addMacro}
          </Link>
        )}
      </SectionHead>
      <Loading of={live} />
      {macros?.length === 0 && (
        <Empty icon="stack" title={t.noMacros}>
          {t.noMacrosText}
        </Empty>
      )}
      {macros !== null && macros.length > findAbove && (
        <TextField label={t.findSender} name="find-macro" {...bound(wanted)} />
      )}
      {macros !== null && macros.length > 0 && shown.length === 0 && (
        <p class="soft" role="status">
          {t.noMacroFound}
        </p>
      )}
      {shown.length > 0 && (
        <ol class="panel sortable" aria-label={t.macrosTitle}>
          {shown.map((macro) => (
            <li key={macro.id}>
              <div class="sortable-name">
                <Link href={settingsPath('macros', macro.id, site)} class="row-link">
                  <bdi>{macro.name}</bdi>
                </Link>
                <p class="soft">{doneBy(valuesOf(macro), known).join(' · ')}</p>
              </div>
              {macro.site_id === null && <span class="badge">{t.macroEverySite}</span>}
              {!macro.is_shared && <span class="badge">{t.macroOnlyYou}</span>}
            </li>
          ))}
        </ol>
      )}
      {macros !== null && (
        <>
          <LastChange
            siteId={site.id}
            actions={['macro.created', 'macro.updated', 'macro.deleted']}
            targetId={null}
            version={macros.map(({ id, updated_at: at }) => `${id} ${at}`).join()}
          />
          <EqualCommand words={['helpdesk', 'macro', 'list', '--site', site.slug]} />
        </>
      )}
    </>
  );
}

function AddMacro({ site }: { site: Site }) {
  const form = useNew(`macros.new.${site.id}`, newMacro(site), problemsOf);
  const command = createCommand(form.values, site);
  const known = useKnown(site.id);

  async function add(): Promise<void> {
    const wrong = wrongIn(form.values, keysFor(known, form.values));
    if (Object.keys(wrong).length > 0) return form.refuse(wrong);
    const made = await form.send(() => ask<{ data: Macro }>('POST', '/macros', bodyOf(form.values)));
    if (made === null) return;
    announce(t.catalogueAdded(made.data.name));
    go(settingsPath('macros', undefined, site), { replace: true });
  }
  if (known.asked.shown.value === null) return <Loading of={known.asked} isOne />;
  return (
    <>
      <NewForm
        form={form}
        title={t.addMacro}
        lead={t.macrosLead}
        fields={Object.keys(form.refusal.value?.fields ?? {})}
        list={settingsPath('macros', undefined, site)}
        action={t.addSender}
        onSubmit={() => void add()}
      >
        <MacroFields {...{ form, site, known }} isNew isOwn />
      </NewForm>
      {command !== null && <EqualCommand words={command} />}
    </>
  );
}

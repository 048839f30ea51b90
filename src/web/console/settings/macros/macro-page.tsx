// One macro: what it says and changes, and removing it.

import { announce } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { go } from '../../route.ts';
import { type Site, visibleSites } from '../../session.ts';
import type { Macro } from '../../wire.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData, type Versioned } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { RemoveButton } from '../remove-button.tsx';
import { SectionForm } from '../section-form.tsx';
import { SectionHead } from '../section-head.tsx';
import { settingsPath } from '../settings-route.ts';
import { MacroFields } from './macro-fields.tsx';
import { bodyOf, type MacroValues, namesOf, problemsOf, updateCommand, valuesOf, wrongIn } from './macro-values.ts';
import { doneBy, keysFor, useKnown, valueText } from './macro-words.ts';
import { t } from './messages.ts';

export function MacroPage({ site, id }: { site: Site; id: string }) {
  const path = `/macros/${encodeURIComponent(id)}`;
  const live = useLiveData<Macro>(path);
  const found = live.shown.value;
  if (found === null) return <Loading of={live} isOne />;
  return <Found {...{ site, path, found }} reload={live.reload} />;
}

interface FoundProps {
  site: Site;
  path: string;
  found: Versioned<Macro>;
  reload: () => Promise<void>;
}

function Found({ site: open, path, found, reload }: FoundProps) {
  const macro = found.data;
  // An address can name one of another site.
  const site = visibleSites.value.find(({ id }) => id === macro.site_id) ?? open;
  const known = useKnown(site.id);
  if (known.asked.shown.value === null) return <Loading of={known.asked} isOne />;
  return (
    <>
      <SectionHead title={macro.name} lead={doneBy(valuesOf(macro), known).join(' · ')}>
        {macro.can_change && <Remove {...{ site, path, found, reload }} />}
      </SectionHead>
      <SectionForm<MacroValues, Macro>
        label={macro.name}
        name={`macros.${macro.id}`}
        {...{ found, reload, valuesOf, names: namesOf() }}
        check={(values) => wrongIn(values, keysFor(known, values))}
        put={(values, etag) => ask('PATCH', path, bodyOf(values), { 'If-Match': etag })}
        problemsIn={problemsOf}
        fields="all"
        shown={(name, values) => valueText(known, name, values)}
        said={({ name }) => t.siteSaved(name)}
        readOnly={macro.can_change ? null : t.macroReadOnly}
      >
        {(form) => {
          const command = updateCommand(macro.id, form.base.data, form.values, site);
          return (
            <>
              <MacroFields {...{ form, site, known }} isNew={false} isOwn={macro.is_own} />
              {command !== null && <EqualCommand words={command} />}
            </>
          );
        }}
      </SectionForm>
      {macro.is_shared && (
        <LastChange
          siteId={macro.site_id}
          actions={['macro.created', 'macro.updated']}
          targetId={macro.id}
          version={found.etag}
        />
      )}
    </>
  );
}

function Remove({ site, path, found }: FoundProps) {
  const macro = found.data;
  return (
    <RemoveButton
      title={t.removeMailboxTitle(macro.name)}
      text={macro.is_shared ? `${t.macroRemoveText} ${t.macroRemoveSharedText}` : t.macroRemoveText}
      action={t.remove}
      send={() => ask('DELETE', path, undefined, { 'If-Match': found.etag })}
      onDone={() => {
        announce(t.catalogueRemoved(macro.name));
        go(settingsPath('macros', undefined, site), { replace: true });
      }}
    />
  );
}

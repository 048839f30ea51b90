// The list of all shortcuts that work on the open page.

import { Dialog } from '../../shared/dialog.tsx';
import { commandsByScope, type Scope } from '../commands.ts';
import { t } from '../on-demand-messages.ts';
import { Link } from '../route.ts';
import { me } from '../session.ts';
import { closeOverlay } from '../shell/overlays.ts';
import { Keycaps } from './keycaps.tsx';

const titles: Record<Scope, () => string> = {
  anywhere: () => t.keysAnywhere,
  list: () => t.keysList,
  ticket: () => t.keysTicket,
  composer: () => t.keysComposer,
  page: () => t.keysPage,
};

export function Help() {
  const groups = [...commandsByScope.value]
    .map(([scope, commands]) => ({ scope, commands: commands.filter(({ keys = [] }) => keys.length > 0) }))
    .filter(({ commands }) => commands.length > 0);
  return (
    <Dialog title={t.keyboardShortcuts} onClose={closeOverlay}>
      <div class="key-groups">
        {me.value?.shortcuts === false && (
          <p class="soft">
            {t.shortcutsAreOff} <Link href="/profile#preferences">{t.toPreferences}</Link>
          </p>
        )}
        {groups.map(({ scope, commands }) => (
          <section key={scope} aria-labelledby={`keys-${scope}`}>
            <h3 id={`keys-${scope}`}>{titles[scope]()}</h3>
            <dl>
              {commands.map(({ id, title, keys = [] }) => (
                <div key={id}>
                  <dt>{title}</dt>
                  <dd>
                    {keys.map((one, index) => (
                      <>
                        {index > 0 && <span class="keycaps-then">{t.or}</span>}
                        <Keycaps keys={one} />
                      </>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

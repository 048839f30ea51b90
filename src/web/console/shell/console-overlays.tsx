// What can lie over every page: the palette, the list of shortcuts, the drawer, the way back in, and a question before a sensitive change.

import { confirmation, ended } from '../../shared/signed-in.ts';
import { session } from '../session.ts';
import { Drawer } from './drawer.tsx';
import { onDemand } from './on-demand.tsx';
import { closeOverlay, overlay } from './overlays.ts';

const Palette = onDemand(async () => (await import('./later.ts')).Palette, closeOverlay);
const Help = onDemand(async () => (await import('./later.ts')).Help);
const SignInAgain = onDemand(async () => (await import('./later.ts')).SignInAgain);
const ConfirmIdentity = onDemand(async () => (await import('./later.ts')).ConfirmIdentity);

export function ConsoleOverlays() {
  const agent = session.value?.agent ?? null;
  if (ended.value !== null) return <SignInAgain />;
  return (
    <>
      {overlay.value === 'palette' && <Palette />}
      {overlay.value === 'help' && <Help />}
      {overlay.value === 'drawer' && <Drawer />}
      {confirmation.value !== null && agent !== null && <ConfirmIdentity agent={agent} />}
    </>
  );
}

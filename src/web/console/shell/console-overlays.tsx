// What can lie over every page: the palette, the list of shortcuts, the drawer, the way back in, and a question before a sensitive change.

import { confirmation, ended } from '../../shared/signed-in.ts';
import { session } from '../session.ts';
import { onDemand } from './on-demand.tsx';
import { overlay } from './overlays.ts';

const Palette = onDemand(async () => (await import('../palette/palette.tsx')).Palette);
const Help = onDemand(async () => (await import('../shortcuts/help.tsx')).Help);
const Drawer = onDemand(async () => (await import('./drawer.tsx')).Drawer);
const SignInAgain = onDemand(async () => (await import('./sign-in-again.tsx')).SignInAgain);
const ConfirmIdentity = onDemand(async () => (await import('../../shared/confirm-identity.tsx')).ConfirmIdentity);

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

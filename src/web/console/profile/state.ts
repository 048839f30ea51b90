// Who is signed in, with factors and devices: loaded once, and again after each change.

import { signal } from '@preact/signals';
import type { Refusal } from '../../shared/api.ts';
import { ask } from '../../shared/signed-in.ts';
import type { Device, Me, Passkey, Session } from '../../shared/wire.ts';
import { loadSession, me, session, sessionRefusal } from '../session.ts';

export interface Profile {
  session: Session;
  me: Me;
  devices: Device[];
  passkeys: Passkey[];
}

export const profile = signal<Profile | null>(null);
export const loadRefusal = signal<Refusal | null>(null);

export async function loadProfile(): Promise<void> {
  const [, devices, passkeys] = await Promise.all([
    loadSession(),
    ask<{ data: Device[] }>('GET', '/me/sessions'),
    ask<{ data: Passkey[] }>('GET', '/me/passkeys'),
  ]);
  const [started, own] = [session.peek(), me.peek()];
  const refused = [devices, passkeys].find((answer) => !answer.isOk);
  loadRefusal.value = sessionRefusal.peek() ?? (refused?.isOk === false ? refused.refusal : null);
  if (loadRefusal.peek() !== null || !devices.isOk || !passkeys.isOk || started === null || own === null) return;
  profile.value = { session: started, me: own, devices: devices.data.data, passkeys: passkeys.data.data };
}

// Who is signed in, with factors and devices: loaded once, and again after each change.

import { signal } from '@preact/signals';
import type { Refusal } from '../shared/api.ts';
import { isLanguage } from '../shared/messages.ts';
import { storeTheme, themes } from '../shared/preferences.ts';
import { ask } from '../shared/signed-in.ts';
import { chooseLanguage } from '../shared/start.tsx';
import type { Device, Me, Passkey, Session } from '../shared/wire.ts';

export interface Profile {
  session: Session;
  me: Me;
  devices: Device[];
  passkeys: Passkey[];
}

export const profile = signal<Profile | null>(null);
export const loadRefusal = signal<Refusal | null>(null);

export async function loadProfile(): Promise<void> {
  const [session, me, devices, passkeys] = await Promise.all([
    ask<{ data: Session }>('GET', '/session'),
    ask<{ data: Me }>('GET', '/me'),
    ask<{ data: Device[] }>('GET', '/me/sessions'),
    ask<{ data: Passkey[] }>('GET', '/me/passkeys'),
  ]);
  const refused = [session, me, devices, passkeys].find((answer) => !answer.isOk);
  if (refused !== undefined && !refused.isOk) {
    loadRefusal.value = refused.refusal;
    return;
  }
  if (!session.isOk || !me.isOk || !devices.isOk || !passkeys.isOk) return;
  loadRefusal.value = null;
  await applyPreferences(me.data.data);
  profile.value = {
    session: session.data.data,
    me: me.data.data,
    devices: devices.data.data,
    passkeys: passkeys.data.data,
  };
}

async function applyPreferences({ locale, theme }: Me): Promise<void> {
  const chosen = themes.find((one) => one === theme);
  if (chosen !== undefined) storeTheme(chosen);
  if (isLanguage(locale)) await chooseLanguage(locale);
}

// Notifications in this browser: its service worker, its subscription to pushes, and what its agent wanted.

import { computed } from '@preact/signals';
import type * as z from 'zod';
import type { PushContent } from '../../../domain/notifications/push.ts';
import type { pushSubscriptionShape } from '../../../http/wire/people/push-subscription.ts';
import type { Refusal } from '../../shared/api.ts';
import { ask } from '../../shared/signed-in.ts';
import { remembered } from '../remembered.ts';
import { go } from '../route.ts';
import { session } from '../session.ts';

export type PushDevice = z.output<typeof pushSubscriptionShape>;
export interface PushDevices {
  data: PushDevice[];
  public_key: string;
}

export const pushPath = '/me/push-subscriptions';
const workerPath = '/service-worker.js';

/** Whose pushes this browser is for: after a new sign-in of the same agent they go on. */
const wantedBy = remembered<number | null>('push', null);

export const canNotify = 'serviceWorker' in navigator && 'Notification' in globalThis;
export const canPush = canNotify && 'PushManager' in globalThis;

/** Whose notifications this browser shows while a console is open. */
const shownTo = remembered<number | null>('desktop', null);
const ownId = () => session.value?.agent.id ?? null;
export const isShownOnDesktop = computed(() => canNotify && ownId() !== null && shownTo.value === ownId());

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string };
}

let address: string | null = null;

/** The one address that the policy of the page lets a script make (src/http/pages/page.tsx). */
function workerAddress(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  address ??=
    trustedTypes?.createPolicy('service-worker', { createScriptURL: () => workerPath }).createScriptURL('') ??
    workerPath;
  return address;
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(workerAddress(), { scope: '/' });
  return await navigator.serviceWorker.ready;
}

/** Null: it is on. The browser asks the agent, so this is only for a click. */
export async function turnOnDesktop(): Promise<'denied' | null> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  shownTo.value = ownId();
  return null;
}

export function turnOffDesktop(): void {
  shownTo.value = null;
}

export async function showOnDesktop({ title, body, tag, id, at, path }: PushContent): Promise<void> {
  if (!isShownOnDesktop.peek() || Notification.permission !== 'granted') return;
  try {
    const worker = await readyWorker();
    await worker.showNotification(title, { body, tag, data: { id, at, path }, icon: '/icons/icon-192.png' });
  } catch (error) {
    // The browser takes the permission back, or removes the worker, whenever it likes.
    console.warn(error);
  }
}

const ownSubscription = async () =>
  (await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()) ?? null;

/** Null: it is on. */
export async function turnOnPush(publicKey: string): Promise<Refusal | 'denied' | 'failed' | null> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  let subscription: PushSubscription;
  try {
    const registration = await readyWorker();
    // It may be for another key.
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch (error) {
    console.warn(error);
    return 'failed';
  }
  const { endpoint, keys } = subscription.toJSON();
  const answer = await ask('POST', pushPath, { endpoint, keys });
  if (!answer.isOk) return answer.refusal;
  wantedBy.value = ownId();
  return null;
}

/** The desk has forgotten it. */
export async function forgetPush(): Promise<void> {
  wantedBy.value = null;
  await (await ownSubscription())?.unsubscribe();
}

async function resume(): Promise<void> {
  if (!canPush || wantedBy.peek() === null || wantedBy.peek() !== session.peek()?.agent.id) return;
  const subscription = Notification.permission === 'granted' ? await ownSubscription() : null;
  if (subscription === null) return;
  const answer = await ask<PushDevices>('GET', pushPath);
  if (!answer.isOk || answer.data.data.some(({ is_current: isCurrent }) => isCurrent)) return;
  const { endpoint, keys } = subscription.toJSON();
  await ask('POST', pushPath, { endpoint, keys });
}

/** Goes where a click on a notification leads, and has the desk push again after a new sign-in. */
export function startPush(): void {
  if (!canNotify) return;
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    if (typeof data?.open !== 'string' || !/^\/(?!\/)/.test(data.open)) return;
    ports[0]?.postMessage(null);
    go(data.open);
  });
  navigator.serviceWorker.startMessages();
  const end = session.subscribe((started) => {
    if (started === null) return;
    queueMicrotask(() => end());
    void resume();
  });
}

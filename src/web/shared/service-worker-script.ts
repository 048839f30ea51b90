// Shows what the desk pushes while no console is in front, and opens it. It handles no request of a page and keeps nothing.

import type { PushContent } from '../../domain/notifications/push.ts';

/** The part of a worker's global scope that is used; the compiler knows that of pages. */
interface Scope {
  addEventListener(type: 'install', listen: () => void): void;
  addEventListener(type: 'push', listen: (event: Lasting & { data: { json(): PushContent } | null }) => void): void;
  addEventListener(type: 'notificationclick', listen: (event: Lasting & { notification: Notification }) => void): void;
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface Tab {
  url: string;
  focused: boolean;
  focus(): Promise<unknown>;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

const worker = globalThis as unknown as Scope;
const answerMs = 1000;

const tabs = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function show({ id, tag, at, title, body, path }: PushContent): Promise<void> {
  const shown = await worker.registration.getNotifications({ tag });
  // A push can come twice, and after a newer one.
  if (shown.some(({ data }) => data.id === id || data.at > at)) return;
  const picture = { icon: '/icons/icon-192.png', badge: '/icons/badge.png' };
  await worker.registration.showNotification(title, { body, tag, data: { id, at, path }, ...picture });
}

/** Tabs answer, unless they show something else than the console. */
async function isOpenedIn(tab: Tab, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), answerMs);
  });
  tab.postMessage({ open: path }, [port2]);
  return await answered;
}

async function open(path: string): Promise<void> {
  const found = await tabs();
  const isThere = ({ url }: Tab) => new URL(url).pathname === path;
  for (const tab of found.toSorted((a, b) => Number(isThere(b)) - Number(isThere(a)))) {
    if (!(await isOpenedIn(tab, path))) continue;
    await tab.focus();
    return;
  }
  await worker.clients.openWindow(path);
}

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('push', (event) => {
  if (event.data !== null) event.waitUntil(show(event.data.json()));
});
worker.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(open(notification.data.path));
});

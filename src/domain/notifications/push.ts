// What a push says: the desk writes it, and the service worker of the console shows it.

export interface PushContent {
  /** The same over all tries. */
  id: string;
  /** Of several about one ticket, only the newest is shown. */
  tag: string;
  at: number;
  title: string;
  body: string;
  /** Where a click leads, on this desk. */
  path: string;
}

// What a browser gets: scripts, styles and images under hashed names, and which of them each page begins with.

export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number] | 'identity';

export interface BrowserFile {
  type: string;
  /** Small files have only the plain variant. The bytes are loaded when they are asked for. */
  variants: Partial<Record<Encoding, () => Promise<Uint8Array>>> & { identity: () => Promise<Uint8Array> };
}

export interface PageFiles {
  style: string;
  script: string;
  /** What `script` imports, so that the browser asks for all of it together. */
  preloads: string[];
  /** The scripts with its messages in each language, which the browser asks for with it. */
  messages: Readonly<Record<string, readonly string[]>>;
}

export interface BrowserFiles {
  files: ReadonlyMap<string, BrowserFile>;
  pages: Readonly<Record<string, PageFiles>>;
  languages: readonly string[];
  themeScript: string;
  icon: string;
  /** Those that systems show, by name, such as `icon-192.png`. */
  pictures: Readonly<Record<string, string>>;
  serviceWorker: string;
  /** Reloads the page when a source changes; null unless the project is being developed. */
  reloadScript: string | null;
}

export interface BrowserFileSource {
  current(): Promise<BrowserFiles>;
  changes: (() => ReadableStream<Uint8Array>) | null;
}

// What a bundler of browser code takes and gives.

export interface Bundled {
  name: string;
  isEntry: boolean;
  /** The files that it was made of, as absolute paths. */
  sources: string[];
  bytes: Uint8Array;
}

export interface BundleOptions {
  entrypoints: string[];
  /** `module` splits what entries share and what they load on demand; `script` makes one classic script. */
  kind: 'module' | 'script';
}

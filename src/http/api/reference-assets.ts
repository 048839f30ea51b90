// Files of the API reference, embedded into the executable.

import { readFile } from 'node:fs/promises';
import cssPath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import scriptPath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };

export function script(): Promise<Uint8Array> {
  return readFile(scriptPath);
}

export function css(): Promise<Uint8Array> {
  return readFile(cssPath);
}

// Reading JSON that strangers wrote: every value is checked where it is used.
import { malformed } from './limits.ts';

export type JsonObject = Record<string, unknown>;

export function parseJsonObject(bytes: Uint8Array | string): JsonObject {
  try {
    const value: unknown = JSON.parse(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // The refusal below says it.
  }
  throw malformed('The request is not a JSON object.');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

export function optionalText(object: JsonObject, key: string): string | null {
  const value = object[key];
  return typeof value === 'string' ? value : null;
}

export function object(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isObject(value) ? value : {};
}

export function objects(parent: JsonObject, key: string): JsonObject[] {
  const value = parent[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function texts(parent: JsonObject, key: string): string[] {
  const value = parent[key];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

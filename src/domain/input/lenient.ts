// Tolerates what PHP, forms and loosely typed clients send (docs/spec/api.md#what-the-desk-accepts).

import type * as z from 'zod';

type Reading = (value: unknown) => unknown;

const readings = new WeakMap<z.core.$ZodType, Reading | null>();
const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const emptied = (value: unknown) => (isList(value) && value.length === 0 ? {} : value);

export function asList(value: unknown): unknown {
  return isObject(value) && !isList(value) && Object.keys(value).every((key) => wholeNumber.test(key))
    ? Object.values(value)
    : value;
}

/** A number that JSON may have rounded stays a number: two people could share what is left of it. */
export function asText(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

export function asMeant(schema: z.core.$ZodType, value: unknown): unknown {
  const reading = readingOf(schema);
  return reading === null ? value : reading(value);
}

function readingOf(schema: z.core.$ZodType): Reading | null {
  const known = readings.get(schema);
  if (known !== undefined) return known;
  const made = makeReading((schema as z.core.$ZodTypes)._zod.def);
  readings.set(schema, made);
  return made;
}

function makeReading(def: z.core.$ZodTypes['_zod']['def']): Reading | null {
  switch (def.type) {
    case 'number':
      return (value) => (typeof value === 'string' && wholeNumber.test(value) ? Number(value) : value);
    case 'record':
      return emptied;
    case 'object':
      return objectReading(def.shape);
    case 'array':
      return listReading(readingOf(def.element));
    case 'tuple':
      return asList;
    case 'optional':
      return readingOf(def.innerType);
    case 'nullable':
      return nullableReading(def.innerType);
    case 'pipe':
      return readingOf(def.in);
    default:
      return null;
  }
}

function objectReading(shape: Readonly<Record<string, z.core.$ZodType>>): Reading {
  const fields = Object.entries(shape).flatMap(([name, inner]) => {
    const reading = readingOf(inner);
    return reading === null ? [] : [[name, reading] as const];
  });
  return (value) => {
    const meant = emptied(value);
    if (!isObject(meant) || isList(meant)) return meant;
    const changed: Record<string, unknown> = {};
    for (const [name, reading] of fields) {
      if (!Object.hasOwn(meant, name)) continue;
      const read = reading(meant[name]);
      if (read !== meant[name]) changed[name] = read;
    }
    return Object.keys(changed).length === 0 ? meant : { ...meant, ...changed };
  };
}

function listReading(reading: Reading | null): Reading {
  if (reading === null) return asList;
  return (value) => {
    const meant = asList(value);
    return isList(meant) ? meant.map(reading) : meant;
  };
}

function nullableReading(inner: z.core.$ZodType): Reading | null {
  const reading = readingOf(inner);
  const isNumber = (inner as z.core.$ZodTypes)._zod.def.type === 'number';
  if (reading === null || !isNumber) return reading;
  return (value) => (value === '' ? null : reading(value));
}

/**
 * Refuses DAWA's parameters that no reader reads: ignoring one would answer another question
 * (D151a).
 */
import { decimalOf, wholeOf } from '../../kernel/number-texts.ts';
import { uuidOf } from '../../kernel/uuids.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Format } from '../wire/row-formats.ts';
import { badParameter, badPath } from './failure.ts';
import { DAWA_LIMITS } from './limits.ts';

const DEFAULTS = ['false', 'adgangspunkt'];

export class Params {
  readonly #query: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();

  constructor(query: unknown) {
    this.#query = (query ?? {}) as Readonly<Record<string, unknown>>;
  }

  has(name: string): boolean {
    this.#read.add(name);
    return this.#query[name] !== undefined;
  }

  /** True without a value. */
  flag(name: string): boolean {
    const given = this.text(name)?.trim().toLowerCase() ?? null;
    return given === null ? this.has(name) : !['false', '0'].includes(given);
  }

  /** `served`: accepted without effect. Throws for one of `names` that was not read. */
  refuseUnread(names: readonly string[], served: readonly string[] = []): void {
    for (const name of names) {
      const given = this.#query[name];
      const isDefault = typeof given === 'string' && DEFAULTS.includes(given);
      if (given === undefined || isDefault) continue;
      if (this.#read.has(name) || served.includes(name)) continue;
      throw badParameter(name, 'not offered here');
    }
  }

  text(name: string, most = 200): string | null {
    this.#read.add(name);
    const given = this.#query[name];
    if (given === undefined) return null;
    if (typeof given !== 'string') throw badParameter(name, 'given more than once');
    if (given.length > most) throw badParameter(name, `longer than ${most} characters`);
    return given.trim() === '' ? null : given;
  }

  /** Refuses an empty value. */
  filled(name: string, most?: number): string | null {
    const text = this.text(name, most);
    if (text === null && this.has(name)) throw badParameter(name, 'empty');
    return text;
  }

  list(name: string, most: number = LIMITS.listValues): readonly string[] {
    const values = this.filled(name, 20_000)?.match(/[^|]+/g) ?? [];
    if (values.length === 0 && this.has(name)) throw badParameter(name, 'empty');
    if (values.length > most) throw badParameter(name, `more than ${most} values`);
    return values;
  }

  /** Drops stars, because every search matches prefixes. */
  search(most?: number): string | null {
    const text = this.text('q', most)?.replaceAll('*', '') ?? null;
    return text === null || text.trim() === '' ? null : text;
  }

  /** Values between `|`; null: an empty one, which matches rows without a value. */
  alternatives(name: string): readonly (string | null)[] {
    this.text(name, 20_000);
    const given = this.#query[name];
    if (typeof given !== 'string') return [];
    const values = given.split('|');
    if (values.length > LIMITS.listValues) {
      throw badParameter(name, `more than ${LIMITS.listValues} values`);
    }
    return values.map((each) => (each.trim() === '' ? null : each.trim()));
  }

  uuid(name: string): string | null {
    const given = this.filled(name);
    return given === null ? null : uuidAsked(name, given);
  }

  uuids(name: string): readonly string[] {
    return this.list(name, DAWA_LIMITS.ids).map((each) => uuidAsked(name, each));
  }

  codes(name: string): readonly string[] {
    return this.list(name).map((each) => {
      if (!/^\d{1,4}$/.test(each)) throw badParameter(name, 'notInteger');
      return each.padStart(4, '0');
    });
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | null {
    const text = this.text(name);
    const found = allowed.find((each) => each === text) ?? null;
    if (text !== null && found === null) {
      throw badParameter(name, `not one of ${allowed.join(', ')}`);
    }
    return found;
  }

  whole(name: string, least = 1): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = wholeOf(/^\d{1,12}e\d$/.test(text) ? String(Number(text)) : text);
    if (value === null) throw badParameter(name, 'notInteger');
    if (value < least) throw badParameter(name, `less than ${least}`);
    return value;
  }

  number(name: string): number | null {
    const text = this.text(name);
    const value = text === null ? null : decimalOf(text);
    if (text !== null && value === null) throw badParameter(name, 'notNumber');
    return value;
  }
}

const UUID_SHOWN = String.raw`^([0-9a-fA-F]{8}\-[0-9a-fA-F]{4}\-[0-9a-fA-F]{4}\-[0-9a-fA-F]{4}\-[0-9a-fA-F]{12})$`;

export function uuidAsked(name: string, given: string, refusal = badParameter): string {
  const id = uuidOf(given);
  if (id !== null) return id;
  throw refusal(name, `String does not match pattern ${UUID_SHOWN}: ${given.slice(0, 100)}`);
}

/** 404 for a malformed id, as in DAWA. */
export const pathUuid = (name: string, given: string): string => uuidAsked(name, given, badPath);

export function pathCode(name: string, given: string): string {
  if (!/^\d{1,4}$/.test(given)) throw badPath(name, 'notInteger');
  return given.padStart(4, '0');
}

const STRUCTURES = ['nestet', 'flad', 'mini'] as const;
const FORMATS = ['json', 'jsonp', 'geojson', 'geojsonz', 'csv', 'ndjson'] as const;
/** Restricts what becomes part of a script. */
export const CALLBACK = /^[A-Za-z_$][\w$]{0,99}(?:\.[A-Za-z_$][\w$]{0,99}){0,5}$/;

export function formatOf(params: Params): Format {
  const format = params.oneOf('format', FORMATS);
  const callback = params.text('callback', 300);
  if (callback !== null && !CALLBACK.test(callback)) {
    throw badParameter('callback', 'not a name of a function');
  }
  const isLines = params.flag('ndjson');
  const given = WRITTEN[format ?? 'json'];
  return {
    ...{ isLines, isFile: params.flag('download') },
    format: isLines && given === 'json' ? 'ndjson' : given,
    structure:
      params.oneOf('struktur', STRUCTURES) ?? (params.flag('autocomplete') ? 'mini' : null),
    callback,
    isCompact: params.has('noformat'),
    srid: params.oneOf('srid', ['4326', '25832']) === '25832' ? 25832 : 4326,
  };
}

const WRITTEN = {
  ...{ json: 'json', jsonp: 'json', geojson: 'geojson', geojsonz: 'geojson' },
  ...{ csv: 'csv', ndjson: 'ndjson' },
} as const satisfies Record<(typeof FORMATS)[number], Format['format']>;

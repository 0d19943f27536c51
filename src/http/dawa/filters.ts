/** Filters by fields of rows (D180). */
import { normalDoor, normalFloor, normalHouseNumber } from '../../layers/address-text.ts';
import { rankedBy } from '../../names/ranked-by.ts';
import { parcelNumberOf } from '../../layers/parcel-text.ts';
import { spellingsOf } from '../../registers/cadastre/parcels.ts';
import type { Place, Readers } from '../wire/row-members.ts';
import { badParameter } from './failure.ts';
import { Params, formatOf, uuidAsked } from './params.ts';

type Value = string | null;

export interface Field<R> {
  readonly kind: keyof typeof KINDS;
  /** null: the row has no value. */
  readonly of: (row: R) => Value | readonly Value[];
}

export type Fields<R> = Readonly<Record<string, Field<R>>>;
export type Fits<R> = (row: R) => boolean;

type Test = (value: Value) => boolean;

/** Throws for a malformed value. */
const KINDS = {
  code: (name: string, given: string): Test => {
    if (!/^\d{1,4}$/.test(given)) throw badParameter(name, 'notInteger');
    return equals(given.padStart(4, '0'));
  },
  number: (name: string, given: string): Test => {
    if (!/^\d{1,12}$/.test(given)) throw badParameter(name, 'notInteger');
    return (value) => value !== null && Number(value) === Number(given);
  },
  uuid: (name: string, given: string): Test => equals(uuidAsked(name, given)),
  house: spelled(normalHouseNumber),
  fromHouse: housesWith((own, from) => own >= from),
  toHouse: housesWith((own, to) => own <= to),
  parcel: (name: string, given: string): Test => {
    if (parcelNumberOf(given) === null) throw badParameter(name, 'no number of a parcel');
    const spellings = spellingsOf(given);
    return (value) => value !== null && spellings.includes(value);
  },
  floor: spelled(normalFloor),
  door: spelled(normalDoor),
  flag: (name: string, given: string): Test => {
    if (!/^(?:true|false)$/i.test(given)) throw badParameter(name, 'notBoolean');
    return equals(given.toLowerCase());
  },
  text: textTest,
} as const;

/** Ignores case; a star matches any letters. */
function textTest(_: string, given: string): Test {
  const parts = lower(given).split('*');
  return (value) => value !== null && meets(lower(value), parts);
}

function spelled(normal: (given: string) => string | null) {
  return (name: string, given: string): Test => textTest(name, normal(given) ?? given);
}

function housesWith(isIn: (own: string, limit: string) => boolean) {
  return (name: string, given: string): Test => {
    if (normalHouseNumber(given) === null) throw badParameter(name, 'no number of a house');
    return (value) => value !== null && isIn(houseKey(value), houseKey(given));
  };
}

/** Kinds that a row may lack. */
const MAY_LACK: readonly string[] = ['text', 'floor', 'door'];

/** By number, then by letter. */
const houseKey = (text: string): string =>
  (normalHouseNumber(text) ?? text).replace(/^\d+/, (digits) => digits.padStart(4, '0'));

const lower = (text: string): string => text.toLocaleLowerCase('da');

function meets(value: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - last.length >= at && value.endsWith(last);
}

function equals(wanted: string): Test {
  return (value) => value === wanted;
}

/** Whether filters besides the search's own are given. */
export function isBeyond(
  params: Params,
  fields: Fields<never>,
  bySearch: readonly string[],
): boolean {
  return Object.keys(fields).some((name) => !bySearch.includes(name) && params.has(name));
}

/** With a text, the best first. */
export function listed<R extends object>(
  all: readonly R[],
  { fits, text }: { readonly fits: Fits<R> | null; readonly text: string | null },
  named: Parameters<typeof rankedBy<R>>[2],
): readonly R[] {
  const kept = fits === null ? all : all.filter(fits);
  return text === null ? kept : rankedBy(kept, text, named);
}

/** null: no parameter of `fields` is given. Throws for a bad value. */
export function fitsOf<R>(params: Params, fields: Fields<R>): Fits<R> | null {
  const tests = Object.entries(fields).flatMap(([name, { kind, of }]) => {
    const given = params.alternatives(name);
    if (given.length === 0) return [];
    const any = given.map((each) => {
      if (each !== null) return KINDS[kind](name, each);
      if (MAY_LACK.includes(kind)) return (value: Value) => value === null;
      throw badParameter(name, 'empty');
    });
    return [
      (row: R): boolean => {
        const own = of(row);
        const values = typeof own === 'string' || own === null ? [own] : own;
        return values.some((value) => any.some((fits) => fits(value)));
      },
    ];
  });
  return tests.length === 0 ? null : (row) => tests.every((fits) => fits(row));
}

const NOWHERE: Place = { base: '', names: new Map(), format: formatOf(new Params({})) };

/** `names`: `name:kind` or `name:kind:reader`, separated by blanks. */
export function filtersBy<R>(readers: Readers<R>, names: string): Fields<R> {
  const text = (value: unknown): string | null => {
    if (value === null || value === undefined) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return Object.fromEntries(
    names.split(/\s+/).map((each) => {
      const [name = '', kind, reader = name] = each.split(':');
      const read = readers[reader];
      const of = (row: R) => {
        const value = read?.(row, NOWHERE) ?? null;
        return Array.isArray(value) ? value.map(text) : text(value);
      };
      return [name, { kind: kind as Field<R>['kind'], of }];
    }),
  );
}

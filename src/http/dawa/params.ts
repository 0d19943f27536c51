/** A parameter that DAWA had and no reader reads is refused: ignoring it would answer another question (D151a). */
import { wholeOf, decimalOf } from '../wire/decimals.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { badParameter } from './failure.ts';
import { DAWA_LIMITS } from './limits.ts';
import { uuidOf } from './paths.ts';

/** Of flags, and of `geometri`. */
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

  /** Given without a value, or as true. */
  flag(name: string): boolean {
    const given = this.text(name)?.trim().toLowerCase() ?? null;
    return given === null ? this.has(name) : !['false', '0'].includes(given);
  }

  /** `served`: names that change nothing here. Throws for one of `names` that was not read. */
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

  list(name: string, most: number = LIMITS.listValues): readonly string[] {
    const text = this.text(name, 20_000);
    const values = text === null ? [] : text.split('|').filter((each) => each !== '');
    if (values.length > most) throw badParameter(name, `more than ${most} values`);
    return values;
  }

  /** `q`: a star stands for the letters that may follow, which every search looks for. */
  search(most?: number): string | null {
    const text = this.text('q', most)?.replaceAll('*', '') ?? null;
    return text === null || text.trim() === '' ? null : text;
  }

  /** Separated by `|`; null: without a value, which only an empty one asks for. */
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
    const given = this.text(name);
    return given === null ? null : uuidOf(name, given);
  }

  uuids(name: string): readonly string[] {
    return this.list(name, DAWA_LIMITS.ids).map((each) => uuidOf(name, each));
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

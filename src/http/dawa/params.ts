/** Unknown parameters are ignored, known ones checked. */
import { wholeOf, decimalOf } from '../wire/decimals.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { badParameter } from './failure.ts';

export class Params {
  readonly #query: Readonly<Record<string, unknown>>;

  constructor(query: unknown) {
    this.#query = (query ?? {}) as Readonly<Record<string, unknown>>;
  }

  has(name: string): boolean {
    return this.#query[name] !== undefined;
  }

  text(name: string, most = 200): string | null {
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

/** All mistakes are reported at once, as DAWA did. */
import type { Failure } from '../../../kernel/failures.ts';
import { badParameters } from '../failure.ts';
import { uuidOf } from '../../../kernel/uuids.ts';
import { CALLBACK } from '../params.ts';

const MOST_CHARS = 100;
const TWICE = 'Parameteren er angivet flere gange';
/** Without a zone it is UTC. */
const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/i;

export interface ReplicationFormat {
  readonly format: 'json' | 'csv' | 'ndjson';
  readonly callback: string | null;
  readonly isCompact: boolean;
  /** A file name, maybe empty; null: no download. */
  readonly download: string | null;
}

export class Query {
  readonly #query: Readonly<Record<string, unknown>>;
  readonly #wrong: [string, string][] = [];
  readonly #read = new Set(['token', 'valider', 'ndjson', 'noformat']);

  constructor(query: unknown) {
    this.#query = (query ?? {}) as Readonly<Record<string, unknown>>;
  }

  text(name: string): string | null {
    this.#read.add(name);
    const given = this.#query[name];
    if (given === undefined || given === '') return null;
    if (typeof given !== 'string') return this.#refuse(name, TWICE);
    if (given.length <= MOST_CHARS) return given;
    return this.#refuse(name, `Parameteren er længere end ${MOST_CHARS} tegn`);
  }

  integer(name: string): number | null {
    const text = this.text(name);
    if (text === null) return null;
    if (!/^[0-9]+$/.test(text)) return this.#refuse(name, 'notInteger');
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  }

  /** At least 1. */
  count(name: string, most: number): number | null {
    const count = this.integer(name);
    if (count === null || (count >= 1 && count <= most)) return count;
    return this.#refuse(name, count === 0 ? 'Mindst 1' : `Højst ${most}`);
  }

  /** Milliseconds UTC. */
  instant(name: string): number | null {
    const text = this.text(name);
    if (text === null) return null;
    // An unescaped plus of a zone arrives as a blank.
    const [, day, time, zone = 'Z'] = INSTANT.exec(text.replace(/ (?=\d\d:?\d\d$)/, '+')) ?? [];
    const ms = day === undefined ? NaN : Date.parse(`${day}T${time}${zone}`);
    if (!Number.isNaN(ms) && new Date(`${day}Z`).toISOString().startsWith(`${day}`)) return ms;
    return this.#refuse(name, `Ugyldigt tidspunkt: ${text} for parameter ${name}`);
  }

  uuid(name: string, text: string): string | null {
    return uuidOf(text) ?? this.#refuse(name, 'notUUID');
  }

  format(): ReplicationFormat {
    const given = this.text('format') ?? 'json';
    const callback = this.text('callback');
    if (!['json', 'csv', 'ndjson'].includes(given)) {
      this.#refuse('format', 'Kun json, csv og ndjson findes her');
    }
    if (callback !== null && !CALLBACK.test(callback)) {
      this.#refuse('callback', 'Ikke navnet på en funktion');
    }
    const format = given as ReplicationFormat['format'];
    return {
      format: format === 'json' && this.#flag('ndjson') ? 'ndjson' : format,
      callback,
      isCompact: this.#flag('noformat'),
      download: this.#query['download'] === undefined ? null : (this.text('download') ?? ''),
    };
  }

  refuse(name: string, message: string): void {
    this.#refuse(name, message);
  }

  /** Inclusive. */
  transactions(): { readonly from: number | null; readonly to: number | null } {
    const [one, from, to] = ['txid', 'txidfra', 'txidtil'].map((name) => this.integer(name));
    const given = (...numbers: readonly (number | null | undefined)[]) =>
      numbers.filter((each) => typeof each === 'number');
    const [lower, upper] = [given(one, from), given(one, to)];
    return {
      from: lower.length === 0 ? null : Math.max(...lower),
      to: upper.length === 0 ? null : Math.min(...upper),
    };
  }

  /** Throws all mistakes found; unknown names only with `valider`. */
  check(): void {
    if (this.#flag('valider')) {
      for (const name of Object.keys(this.#query)) {
        if (!this.#read.has(name)) this.#refuse(name, 'Ukendt parameter');
      }
    }
    if (this.#wrong.length > 0) throw this.failure();
  }

  failure(): Failure {
    return badParameters(this.#wrong);
  }

  /** True without a value. */
  #flag(name: string): boolean {
    const given = this.#query[name];
    if (given !== undefined && typeof given !== 'string') this.#refuse(name, TWICE);
    return given !== undefined && given !== 'false';
  }

  #refuse(name: string, message: string): null {
    if (!this.#wrong.some(([wrong]) => wrong === name)) this.#wrong.push([name, message]);
    return null;
  }
}

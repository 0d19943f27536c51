/** The body of a delivery (D235). */
import { columnNames } from '../changes/names.ts';
import { ATTRIBUTE_NAMES } from '../layers/attribute-names.ts';
import type { ChangeEvent, ChangeTransaction, Row } from '../changes/types.ts';
import { instant } from '../kernel/clock.ts';
import { WATCH_LIMITS } from './limits.ts';
import type { RegisterTable } from '../layers/register-tables.ts';
import type { DueList } from './compare-store.ts';

export type SentEvent = ReturnType<typeof sentEvent>;

/** Leaves out long geometries; `table` null: a layer's. */
export function sentEvent(event: ChangeEvent, table: RegisterTable | null) {
  const [before, after] = [event.before, event.after].map((row) => row && sentRow(row, table)) as [
    Row | null,
    Row | null,
  ];
  const long = longColumns([before, after]);
  return {
    ...{ nr: event.nr, operation: event.operation, entitet: event.entity, noegle: event.key },
    ...{ foer: without(before, long), efter: without(after, long) },
    virkning_fra: event.effectiveFrom,
    /** Columns too long for a delivery. */
    udeladt: long,
  };
}

function sentRow(row: Row, table: RegisterTable | null): Row {
  if (table === null) return sentFeature(row);
  return Object.fromEntries(columnNames(table).map(([own, sent]) => [sent, row[own] ?? null]));
}

function sentFeature({ key, object_id, standing, adopted, attributes, geom }: Row): Row {
  const renamed = Object.entries((attributes ?? {}) as Row).map(
    ([name, value]) => [ATTRIBUTE_NAMES[name] ?? name, value] as const,
  );
  return {
    ...{ noegle: key, objekt_id: object_id, i_kraft: standing === 'in_force', vedtaget: adopted },
    ...{ egenskaber: Object.fromEntries(renamed), geometri: geom },
  };
}

function longColumns(rows: readonly (ChangeEvent['before'] | null)[]): readonly string[] {
  const names = rows.flatMap((row) =>
    Object.entries(row ?? {}).flatMap(([name, value]) => (isLong(value) ? [name] : [])),
  );
  return [...new Set(names)];
}

function isLong(value: unknown): boolean {
  const { geometryChars } = WATCH_LIMITS.payload;
  if (typeof value === 'string') return value.length > geometryChars;
  if (typeof value !== 'object' || value === null) return false;
  return JSON.stringify(value).length > geometryChars;
}

function without(row: Row | null, names: readonly string[]): Row | null {
  if (row === null || names.length === 0) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

interface Tally {
  readonly entitet: string;
  ny: number;
  aendret: number;
  ophoert: number;
  ulaeselig: number;
}

/** Keeps no more than a delivery can have. */
export class Found {
  #events = 0;
  #chars = 0;
  readonly #numbers: number[] = [];
  readonly #tallies = new Map<string, Tally>();
  readonly #sent: (SentEvent & { readonly objekter: readonly (string | number)[] })[] = [];

  get events(): number {
    return this.#events;
  }

  /** In order. `objects`: of the list. */
  add(event: SentEvent, objects: readonly (string | number)[]): void {
    const { events, numbers, chars } = WATCH_LIMITS.payload;
    this.#events += 1;
    if (this.#numbers.length < numbers) this.#numbers.push(event.nr);
    const { entitet, operation } = event;
    const none = { entitet, ny: 0, aendret: 0, ophoert: 0, ulaeselig: 0 };
    const tally = this.#tallies.get(entitet) ?? none;
    tally[operation] += 1;
    this.#tallies.set(entitet, tally);
    // Stops at the first long one: what follows must be pulled.
    if (this.#sent.length >= events || this.#chars > chars) return;
    const sent = { ...event, objekter: objects.slice(0, WATCH_LIMITS.namedObjects) };
    this.#chars += JSON.stringify(sent).length;
    if (this.#chars <= chars) this.#sent.push(sent);
  }

  summary() {
    return {
      antal: this.#events as number | null,
      optalt: [...this.#tallies.values()],
      numre: this.#numbers,
      haendelser: this.#sent,
    };
  }
}

const NONE: ReturnType<Found['summary']> = {
  ...{ antal: null, optalt: [], numre: [], haendelser: [] },
};

/** `found` null: the rows are gone, so what changed is unknown. */
export function dataOf(
  { id, name, kind }: Pick<DueList, 'id' | 'name' | 'kind'>,
  { nr, register, atMs }: Pick<ChangeTransaction, 'nr' | 'register' | 'atMs'>,
  found: Found | null,
) {
  return {
    ...{ liste: id, navn: name, type: kind, proeve: false },
    ...{ transaktion: nr, register, tidspunkt: instant(atMs) },
    ...(found?.summary() ?? NONE),
  };
}

/** The same fields without a change. */
export function testOf(
  { id, name, kind }: Pick<DueList, 'id' | 'name' | 'kind'>,
  nowMs: number,
): object {
  return {
    ...{ liste: id, navn: name, type: kind, proeve: true },
    ...{ transaktion: null, register: null, tidspunkt: instant(nowMs), ...NONE },
  };
}

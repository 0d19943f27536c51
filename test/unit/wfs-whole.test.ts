import { expect, test } from 'vitest';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import type { WfsSource } from '../../src/layers/source.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { inspect } from '../../src/wfs/inspect.ts';
import { readAllPages } from '../../src/wfs/paging.ts';
import type { PagingDeps } from '../../src/wfs/paging.ts';
import { RowCollector, RowsRead, proveWhole } from '../../src/wfs/whole.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';

interface Row {
  readonly id: number;
  readonly text: string;
}

/** How a server orders its rows, and what it counts. */
interface Manner {
  readonly sorts: 'always' | 'never' | 'refuses';
  readonly counts: boolean;
  /** Texts sort otherwise than numbers; with gaps for rows to come. */
  readonly keyOf: (id: number) => string | number;
  /** Of a hundred requests, before how many the register changes. */
  readonly changes: number;
}

const KEYS = [(id: number) => id, (id: number) => `${id}`, (id: number) => `å-${id}-Ø`];

/** A table whose rows lie in slots: what is changed or new goes to a free slot, as in a heap. */
class Register {
  readonly slots: (Row | null)[];
  readonly everGone = new Set<number>();
  readonly #random: Random;
  #next: number;

  constructor(random: Random, rows: number) {
    this.#random = random;
    this.slots = Array.from({ length: rows }, (_, n) => ({ id: 2 * n, text: 'first' }));
    this.#next = rows;
  }

  rows(): readonly Row[] {
    return this.slots.filter((row) => row !== null);
  }

  change(): void {
    const at = this.#random.integer(0, this.slots.length - 1);
    const row = this.slots[at] ?? null;
    if (row === null || this.#random.chance(0.3)) this.#put({ id: this.#newId(), text: 'new' });
    else {
      this.slots[at] = null;
      if (this.#random.chance(0.5)) this.everGone.add(row.id);
      else this.#put({ ...row, text: `changed ${this.#random.integer(1, 1e6)}` });
    }
  }

  #newId(): number {
    this.#next += 1;
    return this.#random.chance(0.5) ? 2 * this.#next : 2 * this.#next - 2 * this.slots.length + 1;
  }

  #put(row: Row): void {
    const free = this.slots.indexOf(null);
    if (free === -1) this.slots.push(row);
    else this.slots[free] = row;
  }
}

function clientOf(register: Register, manner: Manner, random: Random) {
  const asked: { sorted: string | null; count: number | null }[] = [];
  const rows = (sortBy: string | null): readonly Row[] => {
    if (random.chance(manner.changes / 100)) {
      for (let n = random.integer(1, 4); n > 0; n -= 1) register.change();
    }
    const all = [...register.rows()];
    if (sortBy === null || manner.sorts === 'never') return all;
    const sign = sortBy.endsWith(' DESC') ? -1 : 1;
    const by = (a: Row, b: Row) => (manner.keyOf(a.id) < manner.keyOf(b.id) ? -sign : sign);
    return all.sort(by);
  };
  const client: PagingDeps['client'] = {
    fetchHits: () => Promise.resolve(manner.counts ? rows(null).length : null),
    fetchPage: (_, { sortBy, startIndex, count }) => {
      asked.push({ sorted: sortBy, count });
      if (sortBy !== null && manner.sorts === 'refuses') {
        throw new UpstreamFailure('exception_report', 'no sort', {
          status: 400,
          exceptionText: 'sort',
        });
      }
      const all = rows(sortBy);
      const from = startIndex ?? 0;
      const page = all.slice(from, from + (count ?? all.length));
      const features = page.map(({ id, text }) => ({
        type: 'Feature',
        properties: { Objekt_id: manner.keyOf(id), text, id },
      }));
      const numberMatched = manner.counts ? all.length : 'unknown';
      const body = { type: 'FeatureCollection', numberMatched, features };
      const bytes = new Uint8Array(Buffer.from(JSON.stringify(body)));
      const envelope = inspect(bytes);
      if (envelope.kind !== 'features') throw new Error('no features');
      return Promise.resolve({ bytes, envelope });
    },
  };
  return { client, asked };
}

type Properties = {
  readonly Objekt_id: string | number;
  readonly text: string;
  readonly id: number;
};

function propertiesOf(bytes: Uint8Array): readonly Properties[] {
  const { features } = JSON.parse(Buffer.from(bytes).toString()) as {
    features: { properties: Properties }[];
  };
  return features.map(({ properties }) => properties);
}

function rowsOf({ bytes }: { readonly bytes: Uint8Array }) {
  const { keys, sum } = propertiesOf(bytes).reduce((all, row) => {
    all.add(row, row.text);
    return all;
  }, new RowCollector('objekt.id'));
  return Promise.resolve({ keys, sum });
}

const SOURCE = { keyProperty: 'Objekt_id', typeName: 'ting', pageSize: 12 } as WfsSource;

/** The ids of a proved reading; null: it failed, or its counts differ, as a guard would refuse. */
async function read(register: Register, manner: Manner, random: Random) {
  const { client, asked } = clientOf(register, manner, random);
  const pages = readAllPages(SOURCE, { client });
  const rows = new RowsRead();
  const ids: number[] = [];
  let notes: readonly string[] = [];
  try {
    for await (const page of pages) {
      ids.push(...propertiesOf(page.bytes).map(({ id }) => id));
      rows.add(await rowsOf(page));
    }
    notes = await proveWhole(SOURCE, { client }, { rows, pages, rowsOf });
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { ids: null, asked, notes };
  }
  const { hitsBefore, hitsAfter, numberMatched } = pages.report();
  const isCounted = [hitsBefore, hitsAfter, numberMatched].every(
    (count) => count === null || count === ids.length,
  );
  const isAccepted = isCounted && new Set(ids).size === ids.length;
  return { ids: isAccepted ? ids : null, asked, notes };
}

const READINGS = amountOf({ gate: 600, night: 20_000 });
const SORTS = ['always', 'never', 'refuses'] as const;

test('no reading that is proved lacks a row that was there all the while', async () => {
  const accepted = { always: 0, never: 0, refuses: 0 };
  for (let n = 0; n < READINGS; n += 1) {
    const random = createRandom(`readings ${TEST_SEED} ${n}`);
    const manner = {
      sorts: random.pick(SORTS),
      counts: random.chance(0.7),
      keyOf: random.pick(KEYS),
      changes: random.pick([5, 20, 50]),
    };
    const register = new Register(random, random.integer(30, 70));
    // Half of them lie in the order of their keys, as just loaded.
    for (let made = random.pick([0, 40]); made > 0; made -= 1) register.change();
    const before = register.rows().map(({ id }) => id);
    register.everGone.clear();
    const { ids } = await read(register, manner, random);
    if (ids === null) continue;
    accepted[manner.sorts] += 1;
    const lost = before.filter((id) => !register.everGone.has(id) && !ids.includes(id));
    expect(lost, `${n} ${JSON.stringify(manner)}`).toEqual([]);
  }
  expect(Math.min(...Object.values(accepted))).toBeGreaterThan(20);
});

test.each(KEYS.flatMap((keyOf) => SORTS.map((sorts) => ({ keyOf, sorts }))))(
  'a register that rests is read once and one row by a server that sorts, else twice: $sorts $keyOf',
  async ({ keyOf, sorts }) => {
    const random = createRandom('rests');
    const register = new Register(random, 60);
    const manner = { keyOf, sorts, counts: true, changes: 0 };
    const { ids, asked, notes } = await read(register, manner, random);
    expect(ids).toHaveLength(60);
    const [isTwice, once] = [sorts !== 'always', asked.filter(({ count }) => count !== 1)];
    expect(notes).toHaveLength(isTwice ? 1 : 0);
    expect(once).toHaveLength(sorts === 'refuses' ? 16 : isTwice ? 14 : 7);
  },
);

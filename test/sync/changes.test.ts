/** The log of changes of a register of tables. That extract and events are the store: changes-random.test.ts. */
import { afterEach, describe, expect, test } from 'vitest';
import { readEvents } from '../../src/changes/events.ts';
import { latestChange, readTransactions } from '../../src/changes/log.ts';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import { ADDRESS_SCHEMA } from '../../src/registers/addresses/tables.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { until } from '../support/until.ts';
import { breakRows, openAddressBench } from './addresses-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openAddressBench());
afterEach(() => bench.shelf.spoil());

const schemas = new Map([[ADDRESSES, ADDRESS_SCHEMA]]);
const source = () => ({ db: bench.store.db, schemas });

async function publish(): Promise<void> {
  const outcome = await bench.sync({ liftedGuards: LIFTABLE_GUARDS });
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ state: 'published' });
}

describe('the log of changes', () => {
  test('begins with the first total, and goes on with each publication', async () => {
    bench.shelf.spoil({ listing: (all) => all.filter(({ register }) => register !== 'EBR') });
    await publish();
    const [first] = await readTransactions(bench.store.db, { limit: 10 });
    expect(first).toMatchObject({ register: ADDRESSES, isStart: true, events: 0, firstEvent: 1 });
    bench.shelf.spoil();
    const [at, isOpen] = ['2026-10-02T00:00:00.000000Z', (row: TableRow) => !row['virkningTil']];
    const close = bench.shelf.rows('Husnummer').filter(isOpen).slice(0, 9);
    const open = close.map((row) => ({ ...row, husnummertekst: '99', virkningFra: at }));
    bench.shelf.change('Husnummer', { at, close, open });
    await publish();
    // A number that cannot be read, and can be read again.
    const known = bench.shelf.rows('Adresse').find(isOpen);
    const fits = (row: TableRow) => row['id_lokalId'] === known?.['id_lokalId'];
    breakRows(bench, 'Adresse', { fits, cells: { status: 'hm' } });
    await publish();
    const transactions = await readTransactions(bench.store.db, { limit: 100 });
    expect(transactions.at(-1)?.counts).toContainEqual({
      ...{ entity: 'Adresse', inserted: 0, changed: 0, removed: 0, unread: 1 },
    });
    bench.shelf.spoil();
    bench.shelf.renew('Adresse');
    await publish();
  });

  test.skipIf(process.env['TEST_STORE'] === 'embedded')(
    'is read while a total replaces the table of its rows',
    async () => {
      const { pool } = bench.store;
      const numbersOf = async () => {
        const numbers: number[] = [];
        for await (const { nr } of readEvents(source(), { afterEvent: 1, entities: ['Husnummer'] }))
          numbers.push(nr);
        return numbers;
      };
      const before = await numbersOf();
      expect(before.length).toBeGreaterThan(8);
      const total = await pool.connect();
      try {
        await total.query('begin');
        await total.query('create table next (like address_access including all)');
        await total.query('insert into next select * from address_access');
        await total.query('drop table address_access');
        await total.query('alter table next rename to address_access');
        const reading = numbersOf();
        // Its type has been looked up; its table is waited for.
        await until(async () => {
          const { rows } = await pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rows.length > 0;
        });
        await total.query('commit');
        expect(await reading).toEqual(before);
      } finally {
        total.release(true);
      }
    },
  );

  test('goes on with its numbers where the mirror is lost and read again', async () => {
    const before = await latestChange(bench.store.db);
    const { beside } = ADDRESS_SCHEMA;
    const lost = [...storeTables(ADDRESS_SCHEMA), beside.sources, beside.history];
    await bench.column(`truncate ${lost.join(', ')}, change_event, change_transaction cascade`);
    await bench.column('truncate layer_history, layer_state cascade');
    const outcome = await bench.sync({ liftedGuards: LIFTABLE_GUARDS });
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ state: 'published' });
    expect(await readTransactions(bench.store.db, { limit: 10 })).toMatchObject([
      { nr: before.transaction + 1, firstEvent: before.event + 1, isStart: true },
    ]);
  });
});

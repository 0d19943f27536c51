/** Processes that compare are killed with -9, over and over: each find is sent once. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { killAt } from '../support/crash-kit.ts';
import { amountOf } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';
import { until } from '../support/until.ts';
import type { CompareSettings } from './compare-process.ts';
import { openWatchBench } from './watch-bench.ts';

const bench = await opened(openWatchBench());

const PROGRAM = join(import.meta.dirname, 'compare-process.ts');
const LISTS = 12;
const KILLS = amountOf({ gate: 3, night: 60 });

test.skipIf(process.env['TEST_STORE'] === 'embedded')('killed at any moment', async () => {
  const { rows } = await bench.store.pool.query<{ id: string }>(
    'select id from address_unit where status = 3 order by id limit $1',
    [LISTS],
  );
  const ids = rows.map(({ id }) => id);
  const account = await bench.customer();
  const lists = await Promise.all(ids.map((id) => bench.watch(account, 'adresse', [id])));
  for (let n = 0; n < 3; n++) {
    await bench.change(ADDRESSES, [{ entity: 'Adresse', ids, cells: {} }]);
  }
  const { databaseUrl, dataDir } = bench.store;
  const settings: CompareSettings = { databaseUrl, dataDir };
  for (let n = 0; n < KILLS; n++) {
    const wanted = [n % 3 === 0 ? 'sent' : 'comparing', 'idle'];
    const isTime = (message: string) => wanted.includes(message);
    await killAt(PROGRAM, settings, { isTime, afterMs: (n * 7) % 30 });
  }
  await until(async () => {
    await bench.compare();
    const { rows: left } = await bench.store.pool.query<{ n: number }>(
      `select count(*)::integer as n from watch_list
       where compared < (select max(nr) from change_transaction)`,
    );
    return left[0]?.n === 0;
  });
  for (const list of lists) {
    const sent = await bench.sent(list);
    expect(sent.map(({ antal }) => antal)).toEqual([1, 1, 1]);
    expect(new Set(sent.map(({ transaktion }) => transaktion)).size).toBe(3);
  }
});

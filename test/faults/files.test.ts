/**
 * The files of BBR and the cadastre, spoiled in every way of the matrix: at night the total and the delta
 * of each, in the gate each way once.
 */
import { expect, test } from 'vitest';
import { syncLayer } from '../../sync/run.ts';
import { told } from '../support/run-outcome.ts';
import { TEST_SEED, isHeavy } from '../support/run-settings.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import {
  describeFileCase,
  fewFileCases,
  fileCases,
  openFileWorld,
  runFileCase,
} from './file-case.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openAddressBench());
/** Of tables that each total is a new table of. */
const indexes = () =>
  bench.column(
    "select indexname from pg_indexes where tablename ~ '^(bbr|cadastre)_' and tablename !~ '_run_' order by 1",
  );
const migrated = await indexes();
const world = await openFileWorld(bench);

const cases = isHeavy ? fileCases(TEST_SEED) : fewFileCases(TEST_SEED);

test.each(cases.map((given) => [describeFileCase(given), given] as const))(
  '%s',
  async (_name, given) => {
    expect((await runFileCase(world, given)).findings).toEqual([]);
  },
);

test('a table is asked about once whether its files may go without a time, and held to it from when they have it', async () => {
  const { shelf } = bench;
  const sync = async (liftedGuards: readonly string[] = []) =>
    told(await syncLayer(bench.deps, 'matrikel', { trigger: 'command', liftedGuards }));
  const read = (isWithout: boolean) => {
    shelf.renew('Ejerlav');
    shelf.spoil({
      rows: (of, rows) =>
        of === 'Ejerlav' && isWithout ? rows.map(({ virkningTil: _, ...row }) => row) : rows,
    });
  };
  const released = () =>
    bench.column("select without_times from cadastre_source where entity = 'Ejerlav'");
  read(true);
  expect(await sync()).toBe('refused: schema');
  expect(await sync(['schema'])).toBe('unchanged');
  expect(await released()).toEqual([['virkningTil']]);
  read(true);
  expect(await sync()).toBe('unchanged');
  read(false);
  expect(await sync()).toBe('unchanged');
  expect(await released()).toEqual([[]]);
  read(true);
  expect(await sync()).toBe('refused: schema');
});

test('the tables that came of totals have the indexes of the schema', async () => {
  expect(await indexes()).toEqual(migrated);
});

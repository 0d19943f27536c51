/**
 * The gates of the log of changes: a publication of a table (`--rows`, of which a twentieth changes) with and without
 * it, events a second to one reader beside `COPY` of the same rows, what a reader misses over three fronts and a
 * failover (`--events`), lookups while an extract is read and watch-lists (`--units`). `--part` runs one of them.
 */
import { readFeed } from '../src/changes/feed.ts';
import { CHANGE_LIMITS } from '../src/changes/limits.ts';
import { latestChange } from '../src/changes/log.ts';
import type { ChangeSource } from '../src/changes/source.ts';
import { ADDRESSES } from '../src/layers/keys.ts';
import { feedLines } from '../src/http/v1/aendringer/render.ts';
import { ROWS, fillAddresses, publish, sourceOf } from './changes-store.ts';
import { benchExtract } from './changes-extract.ts';
import { benchFronts } from './changes-fronts.ts';
import { interleave, median } from './harness/measure.ts';
import { numberOption, option } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openClient, openMigrated, openPostgres } from './harness/store.ts';
import { benchWatch } from './watch.ts';

const ROUNDS = 5;

const PARTS: Readonly<Record<string, () => Promise<readonly BenchRow[]>>> = {
  fronts: benchFronts,
  log: benchLog,
  watch: async () => (await benchWatch()).filter(({ gate }) => gate !== null),
  extract: benchExtract,
};

/** Rows for the table of `npm run bench`. */
export async function benchChanges(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, bench] of Object.entries(PARTS)) {
    if (name === (option('part') ?? name)) rows.push(...(await bench()));
  }
  return rows;
}

async function benchLog(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const data = await openPostgres(cleanup);
  const store = await openMigrated(cleanup, data);
  await fillAddresses(store, numberOption('rows', ROWS));
  const { withLog, without } = await interleave(
    {
      withLog: (round) => publish(store, round),
      without: (round) => publish(store, round, { isLogged: false }),
    },
    { rounds: ROUNDS, warmUps: 1 },
  );
  const each = row('a publication of a table, its changes logged', median(withLog), 'ms', {
    beside: ['the same without the log', median(without)],
    ratioGate: '<= 1.15 (goal 1.03)',
  });
  // The log began anew with the last publication that logged nothing.
  for (let round = 0; round < ROUNDS; round += 1) await publish(store, 100 + round);
  return [each, await readingRow(sourceOf(store), data.databaseUrl)];
}

/** Events of the last logged publications, beside the rows that they are made of. */
async function readingRow(source: ChangeSource, databaseUrl: string): Promise<BenchRow> {
  const { event: last } = await latestChange(source.db);
  const rates: number[] = [];
  const copies: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push(await eventsPerSecond(source, last));
    copies.push(await copiedPerSecond(databaseUrl));
  }
  return row('events a second to one reader', median(rates), '/s', {
    beside: ['COPY of the same rows', median(copies)],
    ratioGate: '>= 0.2 (goal 0.5)',
  });
}

async function eventsPerSecond(source: ChangeSource, last: number): Promise<number> {
  const beganMs = performance.now();
  let [events, chars] = [0, 0];
  for (let afterEvent = 1; afterEvent < last;) {
    const feed = await readFeed(source, {
      ...{ registers: [ADDRESSES], afterEvent, limit: CHANGE_LIMITS.events.max },
    });
    chars += feedLines(feed).length;
    events += feed.events;
    afterEvent = feed.next;
  }
  if (chars === 0) throw new Error('There are no events.');
  return (1_000 * events) / (performance.now() - beganMs);
}

/** The row before and the row after of each event, as `COPY` gives them. */
async function copiedPerSecond(databaseUrl: string): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const client = await openClient(cleanup, databaseUrl);
  const beganMs = performance.now();
  const { rowCount } = await client.query(
    `copy (select e.event, e.operation, e.key, h.was, t::text from change_event e
       join address_history h on h.version = e.version and h.entity = e.entity and h.id = e.key
       join address_unit t on t.id = e.key::uuid) to '/dev/null'`,
  );
  return (1_000 * (rowCount ?? 0)) / (performance.now() - beganMs);
}

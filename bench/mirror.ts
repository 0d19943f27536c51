/**
 * Mirroring at national size: the generated § 3 register (320,000 areas; `--count=` for another
 * number) read over HTTP into a private PostgreSQL through the whole sync path, three times: first,
 * unchanged, and with one feature in a hundred changed. Each sync is a process of its own.
 */
import pg from 'pg';
import { LINE_LAYERS } from '../src/registers/lines/mirror.ts';
import { inspect } from '../src/wfs/inspect.ts';
import { pageTask } from '../src/wfs/page-task.ts';
import { parsePage } from '../src/wfs/parse-page.ts';
import { featureUrl } from '../src/wfs/request.ts';
import { numberOption } from './harness/options.ts';
import { MeasuredProcess, runElsewhere } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openPostgres } from './harness/store.ts';
import type { SyncReport } from './harness/sync.ts';
import { rate } from './parse.ts';

const NATIONAL = 320_000;
const CHANGE_EVERY = 100;
const MB = 1e6;
/** The tables a publication writes, but for the one row of state and of the run. */
const MIRROR = ['line_feature_natur', 'line_zone_natur', 'line_zone_edge_natur', 'feature_history'];

export async function benchMirror(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const count = numberOption('count', NATIONAL);
  const { databaseUrl, dataDir } = await openPostgres(cleanup);
  const upstream = new MeasuredProcess(cleanup);
  const serve = (changeEvery: number | null) =>
    upstream.run('upstream', { register: 'natur', dir: dataDir, count, changeEvery });
  const served = await serve(null);
  const statistics = new pg.Client({ connectionString: databaseUrl });
  cleanup.defer(() => statistics.end());
  await statistics.connect();
  const sync = async (expected: string): Promise<Synced> => {
    const before = await writesIn(statistics);
    const options = { mirror: 'natur', url: served.url, databaseUrl, dataDir } as const;
    // What a connection wrote is counted when it ends: the process is gone when it has answered.
    const report = await runElsewhere('sync', { ...options, minRows: Math.floor(0.9 * count) });
    const after = await writesIn(statistics);
    if (report.state !== expected) {
      throw new Error(`The sync was to be ${expected}, and is ${report.state}: ${report.why}`);
    }
    return { ...report, rows: after.rows - before.rows, wal: after.wal - before.wal };
  };
  const parser = await parserRate(served.url);
  const first = await sync('published');
  const again = await sync('unchanged');
  const { changed } = await serve(CHANGE_EVERY);
  const few = await sync('published');
  return [
    row('§ 3 areas of the generated country', served.rows, 'areas'),
    row('vertices of an area, mean', served.vertices / served.rows, 'vertices'),
    row('payload', served.bytes / MB, 'MB'),
    ...firstRows(first, parser),
    ...againRows(again, first),
    ...fewRows(few, { first, changed }),
  ];
}

interface Writes {
  /** Rows inserted, updated and deleted in the mirror's own tables. */
  readonly rows: number;
  /** Bytes of write-ahead log, of everything; the stage writes none. */
  readonly wal: number;
}

type Synced = SyncReport & Writes;

async function writesIn(client: pg.Client): Promise<Writes> {
  const { rows } = await client.query<{ rows: number | null; wal: number }>(
    `select (select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 from pg_stat_user_tables
       where relname = any($1::text[])) as rows,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal`,
    [MIRROR],
  );
  return { rows: rows[0]?.rows ?? 0, wal: rows[0]?.wal ?? 0 };
}

/** Megabytes a second of one page in one thread, and nothing else. */
async function parserRate(url: string): Promise<number> {
  const layer = LINE_LAYERS.natur;
  const source = { ...layer.source, url };
  const asked = featureUrl(source, { count: source.pageSize, sortBy: source.keyProperty }, null);
  const bytes = new Uint8Array(await (await fetch(asked)).arrayBuffer());
  const envelope = inspect(bytes);
  const expected = envelope.kind === 'features' ? envelope.members : 0;
  return rate(bytes, () => {
    const { features } = parsePage(pageTask(layer, bytes));
    if (features.length === 0 || features.length > expected) throw new Error('Nothing was parsed.');
  });
}

function phaseRows({ phases, elapsedMs }: Synced): BenchRow[] {
  const beside = ['of the whole', elapsedMs / 1000] as const;
  return phases.map(({ phase, ms }) => row(`  ${phase}`, ms / 1000, 's', { beside }));
}

function firstRows(first: Synced, parser: number): BenchRow[] {
  const what = 'first mirror';
  const seconds = first.elapsedMs / 1000;
  const { bytes, staged } = first.counts;
  const payload = bytes / MB;
  return [
    row(what, seconds, 's', { beside: ['parsing alone, one thread', payload / parser] }),
    ...phaseRows(first),
    row(`${what}, raw payload`, payload / seconds, 'MB/s', {
      beside: ['the parser alone, one thread', parser],
    }),
    row(`${what}, areas`, staged / seconds, 'rows/s'),
    row(`${what}, processor time`, first.cpuMs / 1000, 's'),
    row(`${what}, peak memory of the process`, first.peakRssBytes / MB, 'MB', {
      beside: ['payload', payload],
    }),
    row(`${what}, rows written`, first.rows, 'rows', { beside: ['areas', staged] }),
    row(`${what}, write-ahead log`, first.wal / MB, 'MB'),
  ];
}

function againRows(again: Synced, first: Synced): BenchRow[] {
  const what = 'unchanged source';
  return [
    row(what, again.elapsedMs / 1000, 's', { beside: ['first mirror', first.elapsedMs / 1000] }),
    ...phaseRows(again),
    row(`${what}, peak memory of the process`, again.peakRssBytes / MB, 'MB'),
    row(`${what}, rows written`, again.rows, 'rows', { gate: '= 0' }),
    row(`${what}, write-ahead log`, again.wal / MB, 'MB', {
      beside: ['first mirror', first.wal / MB],
      ratioGate: '<= 1 % of the first',
    }),
  ];
}

function fewRows(
  few: Synced,
  { first, changed }: { readonly first: Synced; readonly changed: number },
): BenchRow[] {
  const what = 'one in a hundred';
  return [
    row('one area in a hundred changed', few.elapsedMs / 1000, 's', {
      beside: ['first mirror', first.elapsedMs / 1000],
    }),
    ...phaseRows(few),
    row(`${what}, rows changed`, few.counts.changed, 'rows', {
      beside: ['changed at the source', changed],
    }),
    row(`${what}, rows written`, few.rows, 'rows', {
      beside: ['first mirror', first.rows],
      ratioGate: '<= 5 % of the first',
    }),
    row(`${what}, write-ahead log`, few.wal / MB, 'MB', {
      beside: ['first mirror', first.wal / MB],
      ratioGate: '<= 5 % of the first',
    }),
    row(`${what}, peak memory of the process`, few.peakRssBytes / MB, 'MB'),
  ];
}

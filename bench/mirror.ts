/**
 * Mirroring at national size: the generated § 3 register (320,000 areas; `--count=` for another
 * number) read over HTTP into a private PostgreSQL through the whole sync path, three times: first,
 * unchanged, and with one feature in a hundred changed. Each sync is a process of its own.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { LINE_LAYERS } from '../src/layers/catalogue.ts';
import { inspect } from '../src/wfs/inspect.ts';
import { pageTask } from '../src/wfs/page-task.ts';
import { parsePage } from '../src/wfs/parse-page.ts';
import { featureUrl } from '../src/wfs/request.ts';
import { openData } from './data.ts';
import type { MirrorOrder, MirrorReport } from './mirror-process.ts';
import type { UpstreamOrder, UpstreamReport } from './mirror-upstream.ts';
import { option } from './option.ts';
import { rate } from './parse.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const NATIONAL = 320_000;
const CHANGE_EVERY = 100;
/** The tables a publication writes, but for the one row of state and of the run. */
const MIRROR = ['line_feature_natur', 'line_zone_natur', 'line_zone_edge_natur', 'feature_history'];

export async function benchMirror(): Promise<readonly BenchRow[]> {
  const count = Number(option('count') ?? String(NATIONAL));
  const data = await openData();
  if (data.databaseUrl === null) throw new Error('A national mirror wants PostgreSQL: none found.');
  const upstream = start('mirror-upstream.ts');
  const statistics = new pg.Client({ connectionString: data.databaseUrl });
  try {
    const serve = (changeEvery: number | null) =>
      ask<UpstreamReport>(upstream, { dir: data.dataDir, count, changeEvery });
    const served = await serve(null);
    await statistics.connect();
    const sync = async (): Promise<Synced> => {
      const before = await writesIn(statistics);
      const child = start('mirror-process.ts');
      const report = await ask<MirrorReport>(child, {
        url: served.url,
        databaseUrl: data.databaseUrl,
        dataDir: data.dataDir,
        minRows: Math.floor(0.9 * count),
      });
      // What a connection wrote is counted when it ends.
      await once(child, 'exit');
      const after = await writesIn(statistics);
      return { ...report, rows: after.rows - before.rows, wal: after.wal - before.wal };
    };
    const parser = await parserRate(served.url);
    const first = expectState(await sync(), 'published');
    const again = expectState(await sync(), 'unchanged');
    const changed = await serve(CHANGE_EVERY);
    const little = expectState(await sync(), 'published');
    return [
      ...sizeRows(served),
      ...firstRows(first, parser),
      ...againRows(again, first),
      ...littleRows(little, { first, changed: changed.changed }),
    ];
  } finally {
    upstream.disconnect();
    await statistics.end();
    await data.close();
  }
}

interface Writes {
  /** Rows inserted, updated and deleted in the mirror's own tables. */
  readonly rows: number;
  /** Bytes of write-ahead log, of everything; the stage writes none. */
  readonly wal: number;
}

type Synced = MirrorReport & Writes;

async function writesIn(client: pg.Client): Promise<Writes> {
  const { rows } = await client.query<{ rows: number | null; wal: number }>(
    `select (select sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 from pg_stat_user_tables
        where relname = any($1::text[])) as rows,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal`,
    [MIRROR],
  );
  return { rows: rows[0]?.rows ?? 0, wal: rows[0]?.wal ?? 0 };
}

function expectState(synced: Synced, state: string): Synced {
  if (synced.state === state) return synced;
  throw new Error(`The sync was to be ${state}, and is ${synced.state}: ${synced.why}`);
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

const MB = 1e6;

function sizeRows({ features, bytes, vertices }: UpstreamReport): BenchRow[] {
  return [
    row({ what: '§ 3 areas of the generated country', value: features, unit: 'areas' }),
    row({ what: 'vertices of an area, mean', value: vertices / features, unit: 'vertices' }),
    row({ what: 'payload', value: bytes / MB, unit: 'MB' }),
  ];
}

function firstRows(first: Synced, parser: number): BenchRow[] {
  const seconds = first.elapsedMs / 1000;
  const { bytes, staged } = first.counts;
  const parsing = { what: 'parsing alone, one thread', value: bytes / MB / parser };
  return [
    row({ what: 'first mirror', value: seconds, unit: 's', reference: parsing }),
    ...phaseRows(first),
    row({
      what: 'first mirror, raw payload',
      value: bytes / MB / seconds,
      unit: 'MB/s',
      reference: { what: 'the parser alone, one thread', value: parser },
    }),
    row({ what: 'first mirror, areas', value: staged / seconds, unit: 'rows/s' }),
    row({ what: 'first mirror, processor time', value: first.cpuMs / 1000, unit: 's' }),
    row({
      what: 'first mirror, peak memory of the process',
      value: first.peakRssBytes / MB,
      unit: 'MB',
      reference: { what: 'payload', value: bytes / MB },
    }),
    row({
      what: 'first mirror, rows written',
      value: first.rows,
      unit: 'rows',
      reference: { what: 'areas', value: staged },
    }),
    row({ what: 'first mirror, write-ahead log', value: first.wal / MB, unit: 'MB' }),
  ];
}

function phaseRows({ phases, elapsedMs }: Synced): BenchRow[] {
  const reference = { what: 'of the whole', value: elapsedMs / 1000 };
  return phases.map(({ phase, ms }) =>
    row({ what: `  ${phase}`, value: ms / 1000, unit: 's', reference }),
  );
}

function againRows(again: Synced, first: Synced): BenchRow[] {
  return [
    row({
      what: 'unchanged source',
      value: again.elapsedMs / 1000,
      unit: 's',
      reference: { what: 'first mirror', value: first.elapsedMs / 1000 },
    }),
    ...phaseRows(again),
    row({
      what: 'unchanged source, peak memory of the process',
      value: again.peakRssBytes / MB,
      unit: 'MB',
    }),
    row({
      what: 'unchanged source, rows written',
      value: again.rows,
      unit: 'rows',
      gate: { text: '= 0', pass: again.rows === 0 },
    }),
    row({
      what: 'unchanged source, write-ahead log',
      value: again.wal / MB,
      unit: 'MB',
      reference: { what: 'first mirror', value: first.wal / MB },
      gate: { text: '<= 1 % of the first', pass: again.wal <= 0.01 * first.wal },
    }),
  ];
}

function littleRows(
  little: Synced,
  { first, changed }: { readonly first: Synced; readonly changed: number },
): BenchRow[] {
  return [
    row({
      what: 'one area in a hundred changed',
      value: little.elapsedMs / 1000,
      unit: 's',
      reference: { what: 'first mirror', value: first.elapsedMs / 1000 },
    }),
    ...phaseRows(little),
    row({
      what: 'one in a hundred, rows changed',
      value: little.counts.changed,
      unit: 'rows',
      reference: { what: 'changed at the source', value: changed },
    }),
    row({
      what: 'one in a hundred, rows written',
      value: little.rows,
      unit: 'rows',
      reference: { what: 'first mirror', value: first.rows },
      gate: { text: '<= 5 % of the first', pass: little.rows <= 0.05 * first.rows },
    }),
    row({
      what: 'one in a hundred, write-ahead log',
      value: little.wal / MB,
      unit: 'MB',
      reference: { what: 'first mirror', value: first.wal / MB },
      gate: { text: '<= 5 % of the first', pass: little.wal <= 0.05 * first.wal },
    }),
    row({
      what: 'one in a hundred, peak memory of the process',
      value: little.peakRssBytes / MB,
      unit: 'MB',
    }),
  ];
}

function start(file: string): ChildProcess {
  return fork(join(import.meta.dirname, file), { stdio: 'inherit' });
}

async function ask<Report>(
  child: ChildProcess,
  order: UpstreamOrder | MirrorOrder,
): Promise<Report> {
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${String(code)}.`);
  });
  failed.catch(() => undefined);
  const told = once(child, 'message');
  child.send(order);
  const [report] = (await Promise.race([told, failed])) as [Report];
  return report;
}

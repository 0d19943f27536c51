/**
 * The total import of the address register at national size (2.4 million access addresses; `--count=`
 * for another number): generated tables as file downloads, through the whole sync into a private
 * PostgreSQL, beside that database's own COPY of one of the files.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openData } from './data.ts';
import type { ImportServed } from './import-upstream.ts';
import type { MirrorReport } from './mirror-process.ts';
import { option } from './option.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const NATIONAL = 2_400_000;
const GIB = 1024 ** 3;

export async function benchImport(): Promise<readonly BenchRow[]> {
  const count = Number(option('count') ?? String(NATIONAL));
  const data = await openData();
  if (data.databaseUrl === null) throw new Error('A national import wants PostgreSQL: none found.');
  const upstream = fork(join(import.meta.dirname, 'import-upstream.ts'));
  try {
    const served = await ask<ImportServed>(upstream, { dir: data.dataDir, count });
    const first = await sync(served.url, data);
    const again = await sync(served.url, data);
    const copied = await copyRate(data.databaseUrl, served, data.dataDir);
    const seconds = first.elapsedMs / 1000;
    const phases = first.phases.map(({ phase, ms }) => `${phase} ${(ms / 1000).toFixed(1)} s`);
    console.error(`  ${first.state}: ${phases.join(', ')}; again ${again.state}`);
    const rate = served.rows / seconds;
    const peak = first.peakRssBytes / GIB;
    return [
      row({ what: 'rows of the register', value: served.rows, unit: 'rows' }),
      row({
        what: 'total import of DAR, published, by row',
        value: rate,
        unit: 'rows/s',
        reference: { what: "PostgreSQL's COPY of one table's text", value: copied },
        gate: { text: '>= 100,000 (goal 200,000)', pass: rate >= 100_000 },
      }),
      row({
        what: 'total import of DAR, peak memory of the process',
        value: peak,
        unit: 'GiB',
        reference: { what: 'the files unpacked', value: served.plainBytes / GIB },
        gate: { text: '<= 1 (goal 0.6)', pass: peak <= 1 },
      }),
      row({ what: 'the book of it, from the store', value: (first.bookMs ?? 0) / 1000, unit: 's' }),
      row({ what: 'the same files again', value: again.elapsedMs / 1000, unit: 's' }),
    ];
  } finally {
    upstream.kill();
    await data.close();
  }
}

async function sync(
  url: string,
  { databaseUrl, dataDir }: { readonly databaseUrl: string | null; readonly dataDir: string },
): Promise<MirrorReport> {
  const child = fork(join(import.meta.dirname, 'import-process.ts'));
  const report = await ask<MirrorReport>(child, { url, databaseUrl, dataDir, minRows: 1 });
  await once(child, 'exit');
  if (report.state === 'failed' || report.state === 'refused') throw new Error(report.why);
  return report;
}

/** The database reading the same rows as text, without keys, indexes or a look at any value. */
async function copyRate(
  databaseUrl: string,
  { plainUnits, units }: ImportServed,
  dir: string,
): Promise<number> {
  chmodSync(dir, 0o755);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const columns = Array.from({ length: 10 }, (_, i) => `c${i} text`);
    await client.query(`create table raw (${columns.join(', ')})`);
    const started = performance.now();
    await client.query(`copy raw from '${plainUnits}' with (format csv, header)`);
    return units / ((performance.now() - started) / 1000);
  } finally {
    await client.end();
  }
}

async function ask<T>(child: ChildProcess, order: object): Promise<T> {
  child.send(order);
  const answer = await Promise.race([
    once(child, 'message').then(([message]) => message as T),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${child.spawnargs.at(-1)} ended with ${code}.`);
    }),
  ]);
  return answer;
}

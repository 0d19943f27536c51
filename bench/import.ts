/**
 * The total import of the address register at national size (2.4 million access addresses; `--count=`
 * for another number): generated tables as file downloads, through the whole sync into a private
 * PostgreSQL, beside that database's own COPY of one of the files.
 */
import { copyRate } from './harness/copy.ts';
import { numberOption } from './harness/options.ts';
import { MeasuredProcess, runElsewhere } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openPostgres } from './harness/store.ts';

const NATIONAL = 2_400_000;
const GIB = 1024 ** 3;

export async function benchImport(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const { databaseUrl, dataDir } = await openPostgres(cleanup);
  const count = numberOption('count', NATIONAL);
  const upstream = new MeasuredProcess(cleanup);
  const served = await upstream.run('upstream', { register: 'adresser', dir: dataDir, count });
  const sync = async () => {
    const options = { mirror: 'adresser', url: served.url, databaseUrl, dataDir } as const;
    const report = await runElsewhere('sync', { ...options, minRows: 1 });
    if (report.state === 'failed' || report.state === 'refused') throw new Error(report.why);
    return report;
  };
  const first = await sync();
  const again = await sync();
  const copied = await copyRate(databaseUrl, served);
  const phases = first.phases.map(({ phase, ms }) => `${phase} ${(ms / 1000).toFixed(1)} s`);
  console.error(`  ${first.state}: ${phases.join(', ')}; again ${again.state}`);
  const rate = served.rows / (first.elapsedMs / 1000);
  return [
    row('rows of the register', served.rows, 'rows'),
    row('total import of DAR, published, by row', rate, 'rows/s', {
      beside: ["PostgreSQL's COPY of one table's text", copied],
      gate: '>= 100,000 (goal 200,000)',
    }),
    row('total import of DAR, peak memory of the process', first.peakRssBytes / GIB, 'GiB', {
      beside: ['the files unpacked', served.bytes / GIB],
      gate: '<= 1 (goal 0.6)',
    }),
    row('the address index of it, from the store', (first.indexMs ?? 0) / 1000, 's'),
    row('the same files again', again.elapsedMs / 1000, 's'),
  ];
}

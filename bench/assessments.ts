/**
 * Public assessments at a tenth of their national size (`--scale=1` for all of it): generated tables as file
 * downloads, through the whole sync into a private PostgreSQL, folded there into a row a property, beside that
 * database's own COPY of the assessments. Gates of issue 19.
 */
import { copyRate } from './harness/copy.ts';
import { scaleOption } from './harness/options.ts';
import { MeasuredProcess, runElsewhere } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openPostgres } from './harness/store.ts';

const GIB = 2 ** 30;

/** Rows for the table of `npm run bench`. */
export async function benchAssessments(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const { databaseUrl, dataDir } = await openPostgres(cleanup);
  const upstream = new MeasuredProcess(cleanup);
  const content = { register: 'assessments', dir: dataDir, scale: scaleOption(0.1) } as const;
  const served = await upstream.run('upstream', content);
  const options = { mirror: 'vurdering', url: served.url, databaseUrl, dataDir } as const;
  const report = await runElsewhere('sync', { ...options, minRows: 1 });
  if (report.state !== 'published') throw new Error(`It ${report.state}: ${report.why}`);
  const copied = await copyRate(databaseUrl, served);
  const phases = report.phases.map(({ phase, ms }) => `${phase} ${(ms / 1000).toFixed(1)} s`);
  console.error(`  ${phases.join(', ')}`);
  return [
    row('rows of VUR', served.rows, 'rows'),
    row(
      'references and assessments folded, published',
      served.rows / (report.elapsedMs / 1000),
      'rows/s',
      {
        beside: ["PostgreSQL's COPY of the assessments as text", copied],
        ratioGate: '>= 0.15 (goal 0.3)',
      },
    ),
    row('… peak memory of the process', report.peakRssBytes / GIB, 'GiB', {
      beside: ['the files unpacked', served.bytes / GIB],
      gate: '<= 1 (goal 0.5)',
    }),
  ];
}

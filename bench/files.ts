/**
 * Workbooks and Danish CSV of a job beside the plain CSV of the same rows, over HTTP: sent and fetched, and
 * the most memory of the service meanwhile. `--rows` (100,000) and `--scale` (0.03) say how much of it.
 */
import { writeXlsx } from 'hucre/xlsx';
import { JobClient } from './harness/jobs.ts';
import { interleave, median } from './harness/measure.ts';
import { numberOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { bodiesOf, draftOf, startJobs } from './jobs.ts';
import { placesOf } from './places.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ROUNDS = 5;
const MIB = 1024 * 1024;
const GATE = { ratioGate: '<= 8 (goal 4)' };

export async function benchFiles(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const { land, front } = await startJobs(cleanup);
  const client = new JobClient(front);
  const rows = numberOption('rows', 100_000);
  const csv = bodiesOf(placesOf(land), rows);
  const xlsx = [await workbookOf(csv)];
  const readyBytes = (await front.usage()).rssBytes;
  await front.resetPeak();
  const send = (bodies: readonly (string | Buffer)[], type: string) => async () => {
    const began = performance.now();
    const id = await client.upload(draftOf('dagi'), bodies, type);
    const ms = performance.now() - began;
    await client.remove(id);
    return ms;
  };
  const sent = await interleave(
    { csv: send(csv, 'text/csv'), xlsx: send(xlsx, XLSX) },
    { rounds: ROUNDS },
  );
  const inBytes = (await front.usage()).peakBytes;
  const id = await client.upload(draftOf('dagi'), csv);
  await client.answer(id);
  await front.resetPeak();
  const fetch = (query: string) => async () => {
    const began = performance.now();
    await client.download(id, query);
    return performance.now() - began;
  };
  const fetched = await interleave(
    {
      csv: fetch(''),
      xlsx: fetch('?format=xlsx'),
      danish: fetch('?dialekt=da'),
      all: fetch('?format=xlsx&raekker=alle'),
    },
    { rounds: ROUNDS },
  );
  const outBytes = (await front.usage()).peakBytes;
  const timeRow = (what: string, ms: readonly number[], csv: readonly number[]) =>
    row(what, median(ms), 'ms', { beside: ['as csv', median(csv)], ...GATE });
  const memory = (what: string, bytes: number) =>
    row(`peak memory of the service while ${what}`, bytes / MIB, 'MiB', {
      beside: ['when ready, its snapshots included', readyBytes / MIB],
      gate: [
        'at most 300 MiB (goal 150) above what it had when ready',
        bytes - readyBytes <= 300 * MIB,
      ],
    });
  return [
    timeRow(`${rows} rows sent as xlsx`, sent.xlsx, sent.csv),
    timeRow(`${rows} rows fetched as xlsx`, fetched.xlsx, fetched.csv),
    timeRow('every row in its order as xlsx', fetched.all, fetched.csv),
    timeRow('fetched as Danish csv', fetched.danish, fetched.csv),
    memory('workbooks are sent', inBytes),
    memory('workbooks are fetched', outBytes),
  ];
}

/** The rows of the CSV as another library writes them: numbers as numbers. */
async function workbookOf(bodies: readonly string[]): Promise<Buffer> {
  const lines = bodies.flatMap((body, i) =>
    body
      .trimEnd()
      .split('\r\n')
      .slice(i === 0 ? 0 : 1),
  );
  const rows = lines.map((line, i) => {
    const cells = line.split(';');
    return i === 0 ? cells : cells.map((cell) => Number(cell.replace(',', '.')));
  });
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Punkter', rows }] }));
}

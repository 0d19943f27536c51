/** What each command does, over the service and a screen. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CsvReader } from '../../jobs/intake/csv.ts';
import { resolveColumns } from '../../jobs/roles.ts';
import type { Command, Format, Submit } from './command.ts';
import { cutFile, lookThrough } from './cut.ts';
import { download } from './download.ts';
import { bar, counted, duration } from './screen.ts';
import type { Screen } from './screen.ts';
import { Refused } from './service.ts';
import type { Service, ShownJob } from './service.ts';

export const EXIT = { good: 0, bad: 1, misunderstood: 2, paused: 3 } as const;

/** Between two looks at a job, milliseconds. */
const LOOK_MS = 1_000;
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];
/** An error has no place. */
const ERRORS_FORMAT: Readonly<Record<Format, Format>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  geojson: 'ndjson',
};

/** The exit code. */
export async function run(command: Command, service: Service, screen: Screen): Promise<number> {
  switch (command.do) {
    case 'submit':
      return await submit(command, service, screen);
    case 'watch': {
      const { id, format, out } = command;
      return await follow(service, screen, { id, format, out: out ?? id });
    }
    case 'list':
      for (const job of await service.jobs()) screen.say(lineOf(job));
      return EXIT.good;
    case 'delete':
      await service.call(`/v1/jobs/${command.id}`, { method: 'DELETE' });
      screen.say(`${command.id} is deleted.`);
      return EXIT.good;
    case 'pause':
    case 'resume':
    case 'cancel': {
      const path = `/v1/jobs/${command.id}/${command.do}`;
      screen.say(lineOf(await service.job(path, { method: 'POST' })));
      return EXIT.good;
    }
  }
}

async function submit(command: Submit, service: Service, screen: Screen): Promise<number> {
  const { file, format, waits } = command;
  const looked = await lookThrough(file);
  const charset = command.charset ?? looked.charset;
  await checkColumns(command);
  // The same file under the same words is the same job: a line given again goes on with it.
  const words = { ...command, file: '', format: '', waits: true };
  const { job: now, name } = await made(command, service, JSON.stringify([looked.hash, words]));
  screen.say(`${now.id}: ${file}, ${counted(looked.bytes)} bytes of ${charset}`);
  if (now.status === 'draft') {
    await upload(service, screen, { command, job: now, name, charset, bytes: looked.bytes });
    await start(service, now.id);
  } else {
    screen.say(`It was sent before and is ${now.status}; --again <word> would send it anew.`);
  }
  if (!waits) {
    screen.say(`npm run job -- watch ${now.id} shows how far it is and fetches its files.`);
    return EXIT.good;
  }
  return await follow(service, screen, { id: now.id, format, out: file });
}

/** What is missing is said before anything is sent. */
async function checkColumns({ file, kind, columns: named }: Submit): Promise<void> {
  if (!isCsvFile(file)) return;
  for await (const { body } of cutFile(file, { isCsv: true, pieceBytes: 1 })) {
    const reader = new CsvReader();
    reader.push(body);
    const { columns: inputColumns } = reader.end();
    resolveColumns(kind, { named, inputColumns });
    return;
  }
}

const isCsvFile = (file: string): boolean => !/\.(ndjson|jsonl)$/i.test(file);

/** Jobs of the same words that were deleted: another is made. */
const DELETED_BEFORE = 20;

interface Made {
  readonly job: ShownJob;
  /** What its pieces are known again by. */
  readonly name: string;
}

async function made(submit: Submit, service: Service, words: string): Promise<Made> {
  const { kind, columns, srid, label } = submit;
  const body = { kind, columns, start: false, ...(srid && { srid }), ...(label && { label }) };
  for (let before = 0; before < DELETED_BEFORE; before++) {
    const name = createHash('sha256').update(`${before}${words}`).digest('hex');
    const { id } = await service.job('/v1/jobs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `submit-${name}` },
      body: JSON.stringify(body),
    });
    try {
      return { job: await service.job(`/v1/jobs/${id}`), name };
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
    }
  }
  throw new Error('This file was sent and deleted many times today: give --again a new word.');
}

interface Uploading {
  readonly command: Submit;
  readonly job: ShownJob;
  readonly name: string;
  readonly charset: string;
  readonly bytes: number;
}

/** A piece that was taken before is answered as it was then, and adds nothing. */
async function upload(
  service: Service,
  screen: Screen,
  { command: { file }, job, name, charset, bytes }: Uploading,
): Promise<void> {
  const isCsv = isCsvFile(file);
  const type = isCsv ? `text/csv; charset=${charset}` : 'application/x-ndjson';
  const beganMs = performance.now();
  let number = 0;
  for await (const { body, until } of cutFile(file, { isCsv })) {
    const { totalRows } = await service.job(`/v1/jobs/${job.id}/rows`, {
      method: 'POST',
      headers: { 'content-type': type, 'idempotency-key': `rows-${name}-${number++}` },
      body,
    });
    const rate = totalRows / ((performance.now() - beganMs) / 1000);
    const rows = `${counted(totalRows)} rows, ${counted(rate)} rows/s`;
    screen.progress(`sending   ${bar(until / bytes)} ${rows}`);
  }
  const { totalRows } = await service.job(`/v1/jobs/${job.id}`);
  const seconds = (performance.now() - beganMs) / 1000;
  screen.say(`${counted(totalRows)} rows sent in ${duration(seconds)}.`);
}

async function start(service: Service, id: string): Promise<void> {
  try {
    await service.job(`/v1/jobs/${id}/start`, { method: 'POST' });
  } catch (error) {
    // The answer to an earlier try was lost on the way.
    const { status } = await service.job(`/v1/jobs/${id}`);
    if (status === 'draft') throw error;
  }
}

interface Followed {
  readonly id: string;
  readonly format: Format;
  /** What the files are called before `.results` and `.errors`. */
  readonly out: string;
}

/** Shows how far a job is until it has ended or is paused; then fetches what there is. */
async function follow(service: Service, screen: Screen, followed: Followed): Promise<number> {
  const { id } = followed;
  const beganMs = performance.now();
  let first: number | null = null;
  for (;;) {
    const job = await service.job(`/v1/jobs/${id}`);
    if (ENDED.includes(job.status)) {
      screen.say(lineOf(job));
      return await fetchFiles(service, screen, { ...followed, job });
    }
    if (job.status === 'paused') {
      screen.say(`${lineOf(job)}\nnpm run job -- resume ${id} goes on with it.`);
      return EXIT.paused;
    }
    if (job.status === 'draft') {
      screen.say(`${lineOf(job)}\nIt is a draft: its rows are not all sent yet.`);
      return EXIT.bad;
    }
    first ??= job.processedRows;
    const rate = (job.processedRows - first) / ((performance.now() - beganMs) / 1000);
    screen.progress(progressOf(job, rate));
    await sleep(LOOK_MS);
  }
}

function progressOf({ processedRows, totalRows, failed }: ShownJob, rate: number): string {
  const left = rate > 0 ? `, ${duration((totalRows - processedRows) / rate)} left` : '';
  const errors = failed > 0 ? `, ${counted(failed)} without an answer` : '';
  const done = `${counted(processedRows)} of ${counted(totalRows)} rows`;
  return `answering ${bar(processedRows / totalRows)} ${done}, ${counted(rate)} rows/s${left}${errors}`;
}

async function fetchFiles(
  service: Service,
  screen: Screen,
  { id, format, out, job }: Followed & { readonly job: ShownJob },
): Promise<number> {
  if (!job.resultsAvailable) {
    screen.say('Its rows are deleted: they are kept for 30 days.');
    return EXIT.bad;
  }
  const wanted = [
    ['results', format, job.succeeded],
    ['errors', ERRORS_FORMAT[format], job.failed],
  ] as const;
  for (const [name, as, rows] of wanted) {
    if (rows === 0) continue;
    const to = `${out}.${name}.${as}`;
    await download(service, { path: `/v1/jobs/${id}/${name}?format=${as}`, to, screen });
    screen.say(`${to}: ${counted(rows)} rows`);
  }
  return job.status === 'completed' ? EXIT.good : EXIT.bad;
}

function lineOf(job: ShownJob): string {
  const label = job.label === null ? '' : `  ${job.label}`;
  const why = job.error === null ? '' : `\n  ${job.error}`;
  return (
    `${job.id}  ${job.kind.padEnd(8)}  ${job.status.padEnd(9)}  ${counted(job.processedRows)} of ` +
    `${counted(job.totalRows)} rows: ${counted(job.succeeded)} answered, ` +
    `${counted(job.failed)} not, ${counted(job.billedUnits)} units${label}${why}`
  );
}

/** In words, for somebody at a terminal. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused && error.status === 401) {
    return `${error.message} Set GEOOPSLAG_KEY or give --key.`;
  }
  return error instanceof Error ? error.message : String(error);
}

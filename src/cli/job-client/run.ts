import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Charset } from '../../core/rows/job-types.ts';
import { CsvReader } from '../../jobs/intake/csv.ts';
import { resolveColumns } from '../../jobs/roles.ts';
import type { Command, Format, Submit, Wanted } from './command.ts';
import { PIECE_BYTES, cutFile, lookThrough } from './cut.ts';
import type { Looked } from './cut.ts';
import { download } from './download.ts';
import { bar, counted, duration } from './screen.ts';
import type { Screen } from './screen.ts';
import { Refused } from './service.ts';
import type { Service, ShownJob } from './service.ts';
import { columnsOf, countRows, cutWorkbook, isWorkbook } from './workbook.ts';
import type { WorkbookFile } from './workbook.ts';

export const EXIT = { good: 0, bad: 1, misunderstood: 2, paused: 3 } as const;

/** Between reads of a job's state. */
const LOOK_MS = 1_000;
const ENDED: readonly string[] = ['completed', 'failed', 'cancelled'];
const ERRORS_FORMAT: Readonly<Record<Exclude<Format, 'xlsx'>, Format>> = {
  csv: 'csv',
  ndjson: 'ndjson',
  geojson: 'ndjson',
};

export async function run(command: Command, service: Service, screen: Screen): Promise<number> {
  switch (command.do) {
    case 'submit':
      return await submit(command, service, screen);
    case 'watch': {
      const { id, wanted, out } = command;
      return await follow(service, screen, { id, wanted, out: out ?? id });
    }
    case 'list':
      return await list(service, screen);
    case 'delete':
      await service.call(`/v1/jobs/${command.id}`, { method: 'DELETE' });
      screen.say(`${command.id} is deleted.`);
      return EXIT.good;
    case 'pause':
    case 'resume':
    case 'cancel': {
      const path = `/v1/jobs/${command.id}/${command.do}`;
      screen.say(lineOf(await service.job(path, { method: 'POST' })));
      screen.say(NEXT[command.do](command.id));
      return EXIT.good;
    }
  }
}

async function list(service: Service, screen: Screen): Promise<number> {
  const jobs = await service.jobs();
  for (const job of jobs) screen.say(lineOf(job));
  if (jobs.length === 0) {
    screen.say('No jobs yet. npm run job -- submit <file> --kind miljoe|dagi|… sends one.');
  }
  return EXIT.good;
}

const NEXT = {
  pause: (id: string) => `npm run job -- resume ${id} goes on with it.`,
  resume: (id: string) => `npm run job -- watch ${id} shows how far it is and fetches its files.`,
  cancel: (id: string) => `npm run job -- watch ${id} fetches what was answered.`,
} as const;

async function submit(command: Submit, service: Service, screen: Screen): Promise<number> {
  const { file, wanted, waits } = command;
  const looked = await lookThrough(file);
  const charset = command.charset ?? looked.charset;
  await checkColumns(command, charset);
  const size = isWorkbook(file) ? await countRows(workbookOf(command)) : looked.size;
  const { job: now, name } = await made(command, service, wordsOf(command, looked));
  const written = isWorkbook(file) ? 'a workbook' : charset;
  screen.say(`${now.id}: ${file}, ${counted(looked.bytes)} bytes of ${written}`);
  if (now.status === 'draft') {
    await upload(service, screen, { command, job: now, name, charset, size });
    await start(service, now.id);
  } else {
    screen.say(`It was sent before and is ${now.status}; --again <word> would send it anew.`);
  }
  if (!waits) {
    screen.say(`npm run job -- watch ${now.id} shows how far it is and fetches its files.`);
    return EXIT.good;
  }
  return await follow(service, screen, { id: now.id, wanted, out: file });
}

/** The same file and options are the same job: a repeated command resumes it. */
function wordsOf(command: Submit, { hash }: Looked): string {
  const { wanted: _, sheet, headRow, ...words } = command;
  const same = { ...words, file: '', format: '', waits: true };
  const named = { ...(sheet !== null && { sheet }), ...(headRow !== null && { headRow }) };
  return JSON.stringify([hash, { ...same, ...named }]);
}

const workbookOf = ({ file, sheet, headRow }: Submit): WorkbookFile => ({
  path: file,
  sheet,
  headRow,
});

async function checkColumns(command: Submit, charset: Charset): Promise<void> {
  const { file, kind, columns: named, headRow } = command;
  if (isWorkbook(file)) {
    resolveColumns(kind, { named, inputColumns: await columnsOf(workbookOf(command)) });
    return;
  }
  if (!isCsvFile(file)) return;
  const isUtf16 = charset === 'utf-16';
  for await (const { body } of cutFile(file, { isCsv: true, isUtf16, headRow, pieceBytes: 1 })) {
    const reader = new CsvReader();
    reader.push(body);
    const { columns: inputColumns } = reader.end();
    resolveColumns(kind, { named, inputColumns });
    return;
  }
}

const isCsvFile = (file: string): boolean => !/\.(ndjson|jsonl)$/i.test(file);

/** Deleted jobs of the same options that are passed over. */
const DELETED_BEFORE = 20;

interface Made {
  readonly job: ShownJob;
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
  readonly charset: Charset;
  readonly size: number;
}

async function upload(
  service: Service,
  screen: Screen,
  { command, job, name, charset, size }: Uploading,
): Promise<void> {
  const { type, pieces } = piecesOf(command, charset);
  const beganMs = performance.now();
  let number = 0;
  for await (const { body, until } of pieces) {
    const { totalRows } = await service.job(`/v1/jobs/${job.id}/rows`, {
      method: 'POST',
      headers: { 'content-type': type, 'idempotency-key': `rows-${name}-${number++}` },
      body,
    });
    const rate = totalRows / ((performance.now() - beganMs) / 1000);
    const rows = `${counted(totalRows)} rows, ${counted(rate)} rows/s`;
    screen.progress(`sending   ${bar(until / size)} ${rows}`);
  }
  const { totalRows } = await service.job(`/v1/jobs/${job.id}`);
  const seconds = (performance.now() - beganMs) / 1000;
  screen.say(`${counted(totalRows)} rows sent in ${duration(seconds)}.`);
}

function piecesOf(command: Submit, charset: Charset) {
  const { file, headRow } = command;
  const ndjson = 'application/x-ndjson';
  if (isWorkbook(file))
    return { type: ndjson, pieces: cutWorkbook(workbookOf(command), PIECE_BYTES) };
  if (!isCsvFile(file)) return { type: ndjson, pieces: cutFile(file, { isCsv: false }) };
  const isUtf16 = charset === 'utf-16';
  const sent = isUtf16 ? 'utf-8' : charset;
  return {
    type: `text/csv; charset=${sent}`,
    pieces: cutFile(file, { isCsv: true, isUtf16, headRow }),
  };
}

async function start(service: Service, id: string): Promise<void> {
  try {
    await service.job(`/v1/jobs/${id}/start`, { method: 'POST' });
  } catch (error) {
    // The answer to an earlier attempt was lost.
    const { status } = await service.job(`/v1/jobs/${id}`);
    if (status === 'draft') throw error;
  }
}

interface Followed {
  readonly id: string;
  readonly wanted: Wanted;
  readonly out: string;
}

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
      screen.say(`${lineOf(job)}\n${NEXT.pause(id)}`);
      return EXIT.paused;
    }
    if (job.status === 'draft') {
      screen.say(
        `${lineOf(job)}\nIts rows are not all sent. Give the submit line again: it sends the rest and starts it.`,
      );
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
  { id, wanted, out, job }: Followed & { readonly job: ShownJob },
): Promise<number> {
  if (!job.resultsAvailable) {
    screen.say('Its rows are deleted: they are kept for 30 days.');
    return EXIT.bad;
  }
  for (const { name, query, rows } of filesOf(wanted, job)) {
    if (rows === 0) continue;
    const to = `${out}.${name}`;
    await download(service, { path: `/v1/jobs/${id}/${query}`, to, screen });
    screen.say(`${to}: ${counted(rows)} rows`);
  }
  return job.status === 'completed' ? EXIT.good : EXIT.bad;
}

/** A workbook and a file of all rows contain the errors. */
function filesOf({ format, dialect, isAll }: Wanted, job: ShownJob) {
  const { succeeded, failed, totalRows } = job;
  const spoken = dialect === null ? '' : `&dialekt=${dialect}`;
  const results = `results?format=${format}${spoken}`;
  if (isAll) return [{ name: `alle.${format}`, query: `${results}&raekker=alle`, rows: totalRows }];
  if (format === 'xlsx') {
    return [{ name: 'results.xlsx', query: results, rows: succeeded + failed }];
  }
  const errors = ERRORS_FORMAT[format];
  return [
    { name: `results.${format}`, query: results, rows: succeeded },
    { name: `errors.${errors}`, query: `errors?format=${errors}${spoken}`, rows: failed },
  ];
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

export function sentenceOf(error: unknown): string {
  if (error instanceof Refused && error.status === 401) {
    return `${error.message} Set GEOOPSLAG_KEY or give --key; a key is made at /konto of the service.`;
  }
  if (error instanceof Refused && error.status === 404) {
    return `${error.message} npm run job -- list shows the jobs of the key's account.`;
  }
  return error instanceof Error ? error.message : String(error);
}

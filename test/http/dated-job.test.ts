/**
 * A job over HTTP that is begun before the instant of a change and ended after it: all of its rows are
 * answered from what it began with, and each says so. One that is begun afterwards has the new content.
 */
import { expect, test, vi } from 'vitest';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { confirmChange } from '../../src/ops/dated-changes.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { syncDated } from '../../sync/dated/run.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { holdOthers, openDatedService } from '../support/dated-service.ts';
import { mintKey } from '../support/keys.ts';
import { told } from '../support/run-outcome.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const REGION = 'region-20981231T230000Z';
const BEFORE_MS = INSTANT_MS - 60_000;
/** Two chunks; the job is paused between them. */
const ROWS = 2 * JOB_LIMITS.chunkRows;
const PLACE = '651500,6313000';
const DEADLINE = { timeout: 2 * HANG_MS, interval: 5 };

const dated = await opened(openDatedBench({ startMs: BEFORE_MS }));
const { store } = dated.bench;
const { deps } = dated;
await dated.syncThemes();
await preparePreviews(deps);
const by = { id: REGION, nowMs: BEFORE_MS, by: 'test', remark: null };
expect((await confirmChange(store, by)).state).toBe('done');
await holdOthers(store, THEMES);
const settings = { JOBS: 'on' };
const service = await opened(openDatedService({ deps, store, open: false, settings }));
const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
const key = await mintKey(service, { permission: 'jobs' });
await vi.waitFor(() => expect(service.memory?.current?.areaReader()).toBeTruthy(), DEADLINE);

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly succeeded: number;
}

async function ask(method: 'GET' | 'POST', path: string, payload?: object | string) {
  const isText = typeof payload === 'string';
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(payload !== undefined && { 'content-type': isText ? 'text/csv' : 'application/json' }),
    },
    ...(payload !== undefined && { body: isText ? payload : JSON.stringify(payload) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 500)}`);
  return { headers: response.headers, text };
}

const shown = async (method: 'GET' | 'POST', path: string, payload?: object | string) =>
  (JSON.parse((await ask(method, path, payload)).text) as { job: Shown }).job;

async function draft(rows: number): Promise<string> {
  const about = { kind: 'dagi', srid: 25832, start: false };
  const { id } = await shown('POST', '/v1/jobs', about);
  await ask('POST', `/v1/jobs/${id}/rows`, `x,y\n${`${PLACE}\n`.repeat(rows)}`);
  return id;
}

const ended = (id: string) =>
  vi.waitFor(async () => {
    const job = await shown('GET', `/v1/jobs/${id}`);
    expect(job.status).toBe('completed');
    return job;
  }, DEADLINE);

async function answersOf(id: string): Promise<Map<string, number>> {
  const { text } = await ask('GET', `/v1/jobs/${id}/results?format=ndjson`);
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const { generation, svar } = JSON.parse(line) as {
      generation: number;
      svar: { omraader: { tema: string; kode: string }[] };
    };
    const region = svar.omraader.find(({ tema }) => tema === 'region')?.kode ?? 'none';
    const answer = `${region} of ${generation}`;
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  return counts;
}

test('a job across the instant is of one moment, and says of which', async () => {
  const before = Number(service.memory?.current?.generation);
  const id = await draft(ROWS);
  const { pool } = dated.bench.store;
  const setSecond = (to: string) =>
    pool.query(`update job_chunk set ${to} where job_id = $1 and chunk = 1`, [id]);
  await setSecond("state = 'leased', lease_owner = 'test', lease_until = 'infinity'");
  await ask('POST', `/v1/jobs/${id}/start`);
  await vi.waitFor(async () => {
    const { processedRows } = await shown('GET', `/v1/jobs/${id}`);
    expect(processedRows).toBe(JOB_LIMITS.chunkRows);
  }, DEADLINE);
  await ask('POST', `/v1/jobs/${id}/pause`);

  dated.setClock(INSTANT_MS);
  const run = await syncDated(dated.deps, 'region', { signal: AbortSignal.timeout(60_000) });
  expect(told(run)).toBe('published');
  service.memory?.nudge();
  await vi.waitFor(
    () => expect(service.memory?.current?.namesOf('region')?.has('1093')).toBe(true),
    DEADLINE,
  );
  const after = Number(service.memory?.current?.generation);
  const paused = await shown('GET', `/v1/jobs/${id}`);
  expect(paused.status).toBe('paused');
  expect(paused.processedRows).toBe(JOB_LIMITS.chunkRows);

  await setSecond("state = 'waiting', lease_owner = null, lease_until = null");
  await ask('POST', `/v1/jobs/${id}/resume`);
  expect(await ended(id)).toMatchObject({ totalRows: ROWS, succeeded: ROWS });
  const answers = await answersOf(id);
  expect([...answers.values()]).toEqual([ROWS]);
  expect([...answers.keys()][0]).toMatch(new RegExp(`^109[12] of ${before}$`));
  const file = await ask('GET', `/v1/jobs/${id}/results`);
  expect(file.headers.get('x-service-generation')).toBe(String(before));

  const later = await draft(10);
  await ask('POST', `/v1/jobs/${later}/start`);
  await ended(later);
  expect(await answersOf(later)).toEqual(new Map([[`1093 of ${after}`, 10]]));
});

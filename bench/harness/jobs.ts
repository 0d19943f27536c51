/** A customer of jobs with files: sends rows, waits, fetches. */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';
import type { Server } from './server.ts';

/** What a job is made with, beside its rows. */
export interface JobDraft {
  readonly kind: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly srid?: number;
}

/** Rows a second of each step. */
export interface JobRates {
  readonly rows: number;
  readonly succeeded: number;
  readonly uploaded: number;
  readonly answered: number;
  readonly downloaded: number;
  readonly bytesPerRow: number;
}

interface ShownJob {
  readonly id: string;
  readonly status: string;
  readonly totalRows: number;
  readonly succeeded: number;
}

export class JobClient {
  readonly server: Server;

  constructor(server: Server) {
    this.server = server;
  }

  /** Returns the id of the job, which is not started. */
  async upload(
    draft: JobDraft,
    bodies: readonly (string | Buffer)[],
    type = 'text/csv',
  ): Promise<string> {
    const body = JSON.stringify({ ...draft, start: false });
    const { id } = await this.#post('', { body, type: 'application/json' });
    for (const rows of bodies) await this.#post(`/${id}/rows`, { body: rows, type });
    return id;
  }

  async succeeded(id: string): Promise<number> {
    return (await this.#job(id)).succeeded;
  }

  async command(id: string, action: string): Promise<void> {
    await this.#post(`/${id}/${action}`);
  }

  /** Sends, waits and fetches. */
  async run(draft: JobDraft, bodies: readonly string[]): Promise<JobRates> {
    const started = performance.now();
    const id = await this.upload(draft, bodies);
    const uploaded = performance.now();
    const job = await this.answer(id);
    const answered = performance.now();
    const bytes = await this.download(id);
    const downloaded = performance.now();
    await this.remove(id);
    const { totalRows, succeeded } = job;
    return {
      ...{ rows: totalRows, succeeded },
      uploaded: (totalRows * 1000) / (uploaded - started),
      answered: (totalRows * 1000) / (answered - uploaded),
      downloaded: (succeeded * 1000) / (downloaded - answered),
      bytesPerRow: bytes / succeeded,
    };
  }

  /** Starts it and waits for its end. */
  async answer(id: string): Promise<ShownJob> {
    await this.command(id, 'start');
    let job = await this.#job(id);
    while (job.status !== 'completed') {
      if (job.status !== 'running' && job.status !== 'queued') throw new Error(JSON.stringify(job));
      await sleep(20);
      job = await this.#job(id);
    }
    return job;
  }

  async remove(id: string): Promise<void> {
    await this.#fetch(`/${id}`, { method: 'DELETE' });
  }

  /** Bytes of the results, thrown away. `query`: from its question mark on. */
  async download(id: string, query = ''): Promise<number> {
    const response = await this.#fetch(`/${id}/results${query}`);
    if (!response.ok) throw new Error(await response.text());
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
    const length = response.headers.get('content-length');
    if (length !== null && bytes !== Number(length)) throw new Error('Cut short.');
    return bytes;
  }

  async #job(id: string): Promise<ShownJob> {
    return ((await (await this.#fetch(`/${id}`)).json()) as { job: ShownJob }).job;
  }

  async #post(path: string, sent?: { readonly body: string | Buffer; readonly type: string }) {
    const response = await this.#fetch(path, {
      method: 'POST',
      ...(sent && { headers: { 'content-type': sent.type }, body: sent.body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return (JSON.parse(text) as { job: ShownJob }).job;
  }

  async #fetch(
    path: string,
    init: { method?: string; headers?: object; body?: string | Buffer } = {},
  ) {
    const { port, key } = this.server;
    const headers = { authorization: `Bearer ${key ?? ''}`, ...init.headers };
    return await fetch(`http://127.0.0.1:${port}/v1/jobs${path}`, { ...init, headers });
  }
}

const BODY_ROWS = 200_000;

/** Rows of a job as bodies of CSV. */
export function csvBodies(head: string, rows: number, lineOf: (n: number) => string): string[] {
  return Array.from({ length: Math.ceil(rows / BODY_ROWS) }, (_, body) => {
    const from = body * BODY_ROWS;
    const length = Math.min(BODY_ROWS, rows - from);
    const lines = Array.from({ length }, (_row, i) => lineOf(from + i));
    return [head, ...lines, ''].join('\r\n');
  });
}

export function loadRow(when: string): BenchRow {
  return row(`load average when it ${when}`, loadavg()[0] ?? NaN, '');
}

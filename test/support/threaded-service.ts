/** A service with several request threads over a mirrored store, and its threads to end. */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { loadConfig } from '../../src/config.ts';
import { requestsOf } from '../../src/http/thread-report.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { firstThread, listen, startThreads } from '../../src/start/request-threads.ts';
import type { ServiceThreads } from '../../src/start/request-threads.ts';
import { compose } from '../../src/start/service.ts';
import type { ComposeOptions, Composed } from '../../src/start/service.ts';
import type { Log } from '../../src/kernel/log.ts';
import { THREAD_LIMITS } from '../../src/threads/limits.ts';
import { until } from './until.ts';
import { TOKEN } from '../edge/operator.ts';
import { keptLog } from './log.ts';
import { openMirroredBench } from './mirrored-store.ts';

export interface StartedThreads {
  readonly service: Composed;
  /** null: REQUEST_THREADS is one. */
  readonly threads: ServiceThreads | null;
  readonly base: string;
  close(): Promise<void>;
}

/** A composed service with the request threads of its settings, all of which listen. */
export async function startThreaded(
  composition: Omit<ComposeOptions, 'role'>,
  { sampleUrl, log }: { readonly sampleUrl: string; readonly log: Log },
): Promise<StartedThreads> {
  const { config } = composition;
  let threads: ServiceThreads | null = null;
  const role = firstThread(config, () => threads);
  const service = await compose({ ...composition, role });
  await listen(service.app, { config, role, log });
  const { port } = service.app.server.address() as AddressInfo;
  const started = startThreads({ config, service, role, port, sampleUrl, log });
  threads = started;
  await until(() => started === null || started.listening === config.plan.requests - 1);
  return {
    ...{ service, threads, base: `http://127.0.0.1:${port}` },
    close: async () => {
      await Promise.all([service.app.close(), started?.stop()]);
      await service.close();
    },
  };
}

/** With `count` request threads, all of which listen and have the layers in memory; `workers`: those beside the first. */
export async function openThreadedService(
  count: number,
  settings: Readonly<Record<string, string>> = {},
) {
  const bench = await openMirroredBench();
  const { deps, store, upstream } = bench;
  const config = loadConfig({
    DATA_DIR: store.dataDir,
    ...(store.databaseUrl !== null && { DATABASE_URL: store.databaseUrl }),
    ...{ OPERATOR_TOKEN: TOKEN, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' },
    ...{ REQUEST_THREADS: String(count), THREADS: '1', JOBS: 'off', WEBHOOKS: 'off' },
    ...settings,
  });
  const workers: Worker[] = [];
  const onWorker = (worker: Worker): void => {
    if (worker.threadName?.startsWith('requests-') === true) workers.push(worker);
  };
  process.on('worker', onWorker);
  const log = keptLog();
  const started = await startThreaded(
    {
      ...{ config, clock: deps.clock, sources: deps },
      log: createLogging({ level: 'silent' }).log,
      onExpired: () => undefined,
    },
    { sampleUrl: upstream.url, log },
  );
  const { service, threads, base } = started;
  if (threads === null) throw new Error('No threads were started.');
  await until(async () => {
    const reports = await service.answers.process.reports();
    return reports.running.length === count && service.memory?.isOpen === true;
  });
  return {
    ...{ bench, service, threads, base, workers, log },
    close: async () => {
      process.off('worker', onWorker);
      await started.close();
      await bench.close();
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly generation: number;
  readonly text: string;
}

/** A client with one connection, which a thread of the kernel's choice has. */
export class OneConnection {
  readonly #agent = new Agent({ connections: 1, pipelining: 1, keepAliveTimeout: 60_000 });
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** Rejects where the connection is lost. */
  async get(path: string, token: string): Promise<Answer> {
    const { statusCode, headers, body } = await request(`${this.#base}${path}`, {
      ...{ dispatcher: this.#agent, headers: { authorization: `Bearer ${token}` } },
    });
    const text = await body.text();
    const generation = Number(headers['x-service-generation'] ?? Number.NaN);
    return { status: statusCode, generation, text };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Clients until every thread has at least one of them that it has answered by `ask`. */
export async function clientsOfThreads(
  { service, base }: Pick<StartedThreads, 'service' | 'base'>,
  count: number,
  ask: (client: OneConnection) => Promise<unknown>,
): Promise<OneConnection[]> {
  const clients: OneConnection[] = [];
  await until(async () => {
    const before = await answeredByThread({ service });
    const more = Array.from({ length: 4 * count }, () => new OneConnection(base));
    clients.push(...more);
    await Promise.all(more.map(ask));
    await reported();
    const after = await answeredByThread({ service });
    return [...after].every(([thread, answers]) => answers > (before.get(thread) ?? 0));
  });
  return clients;
}

export async function reported(): Promise<void> {
  await sleep(1.2 * THREAD_LIMITS.reportMs);
}

async function answeredByThread({
  service,
}: Pick<StartedThreads, 'service'>): Promise<ReadonlyMap<number, number>> {
  const { running } = await service.answers.process.reports();
  return new Map(running.map((report) => [report.thread, requestsOf(report)]));
}

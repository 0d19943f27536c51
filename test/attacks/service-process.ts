/**
 * The edge under attack in a process of its own, so that whoever attacks or measures costs it nothing:
 * lookups from memory, keys and a meter that keeps account. REQUEST_THREADS threads answer.
 */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { buildApp } from '../../src/http/app.ts';
import type { EdgeOptions } from '../../src/http/options.ts';
import { localLimiters, sharedLimiters } from '../../src/kernel/limiters.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import type { LimiterMemory } from '../../src/kernel/limiter-memory.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import type { BuildingLines } from '../../src/registers/lines/lookup.ts';
import type { BuildingLinesAnswer } from '../../src/answers/answer.ts';
import type { Point } from '../../src/geo/point.ts';
import { GENERATION, clearLine, linesAt, memoryServices, atGeneration } from '../edge/edge.ts';
import { listening } from '../../src/start/request-threads.ts';
import { keptAccess } from '../edge/access.ts';

export interface ServiceOrder extends Pick<EdgeOptions, 'connections' | 'trustedProxies'> {
  readonly fastPath: boolean;
  /** Absent: as many as REQUEST_THREADS says. */
  readonly threads?: number;
}

export interface ServiceReport {
  readonly port: number;
  readonly rssBytes: number;
  readonly logBytes: number;
  readonly billed: number;
}

const answerAt = (point: Point, lines: readonly LineKey[]): BuildingLinesAnswer =>
  linesAt(point, lines, (line) => ({
    ...clearLine(line),
    provenance: { rung: 'snapshot', ageS: 60 },
  }));

const buildingLines: BuildingLines = {
  tryAnswerSync: (lines) => ({ generation: GENERATION, at: (point) => answerAt(point, lines) }),
  at: (points, lines) => atGeneration(points.map((point) => answerAt(point, lines))),
};

/** One of several threads; null: there is one. */
interface Shared {
  readonly limits: LimiterMemory;
  readonly number: number;
  readonly port: number;
}

interface Counted {
  readonly logBytes: number;
  readonly billed: number;
}

async function serve({ threads: _, ...options }: ServiceOrder, shared: Shared | null) {
  let logBytes = 0;
  const logStream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logBytes += chunk.length;
      done();
    },
  });
  const access = keptAccess({
    svc_live_one: { keyId: 'key_live' },
    svc_live_two: { keyId: 'key_two', accountId: 'account_2' },
    svc_test_one: { keyId: 'key_test', accountId: 'account_3', environment: 'test' },
  });
  const limiters = shared === null ? localLimiters() : sharedLimiters(shared.limits, shared.number);
  const services = memoryServices({ access, limiters, buildingLines });
  const app = await buildApp(services, {
    publicUrl: 'https://geo.example',
    logLevel: 'warn',
    logStream,
    ...options,
    newRequestId: () => 'fresh-id',
  });
  await app.listen(listening('127.0.0.1', shared?.port ?? 0, shared !== null));
  const { port } = app.server.address() as AddressInfo;
  const billed = (): number => access.settled.reduce((sum, { units }) => sum + units, 0);
  return { port, count: () => ({ logBytes, billed: billed() }) };
}

async function serveAll(order: ServiceOrder): Promise<() => Promise<ServiceReport>> {
  const threads = order.threads ?? Number(process.env['REQUEST_THREADS'] ?? 1);
  const limits = threads === 1 ? null : createLimiterMemory(threads);
  const first = await serve(order, limits && { limits, number: 0, port: 0 });
  const { port } = first;
  const others = Array.from({ length: threads - 1 }, (_, n) => {
    const given: ThreadData = { order, shared: { limits: limits!, number: n + 1, port } };
    return new Worker(new URL(import.meta.url), { workerData: given });
  });
  await Promise.all(others.map((worker) => once(worker, 'message')));
  return async () => {
    const counts = await Promise.all(others.map(countOf));
    return {
      ...{ port, rssBytes: process.memoryUsage().rss },
      logBytes: sum([first.count(), ...counts].map(({ logBytes }) => logBytes)),
      billed: sum([first.count(), ...counts].map(({ billed }) => billed)),
    };
  };
}

interface ThreadData {
  readonly order: ServiceOrder;
  readonly shared: Shared;
}

async function countOf(worker: Worker): Promise<Counted> {
  const counted = once(worker, 'message') as Promise<[Counted]>;
  worker.postMessage('count');
  return (await counted)[0];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

if (isMainThread) {
  let reporting: ReturnType<typeof serveAll> | null = null;
  process.on('message', (order: ServiceOrder) => {
    reporting ??= serveAll(order);
    void reporting.then(async (report) => process.send?.(await report()));
  });
  process.on('disconnect', () => process.exit());
} else {
  const { order, shared } = workerData as ThreadData;
  const { count } = await serve(order, shared);
  parentPort?.on('message', () => parentPort?.postMessage(count()));
  parentPort?.postMessage('listening');
}

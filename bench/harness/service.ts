/** The servers under test, inside their own process: the service over a store, or a bare route. */
import { places } from '../../src/registers/places/register.ts';
import { property } from '../../src/registers/property/register.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import {
  firstThread,
  listen as listenShared,
  startThreads,
} from '../../src/start/request-threads.ts';
import type { ServiceThreads } from '../../src/start/request-threads.ts';
import { compose } from '../../src/start/service.ts';
import type { Composed } from '../../src/start/service.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { mintKey } from '../../test/support/keys.ts';
import { compositionOf } from './composition.ts';
import type { Settings } from './composition.ts';
import type { Cleanup } from './store.ts';

export interface ServiceOptions {
  readonly settings: Settings;
  /** Asks nobody for a key. */
  readonly open?: boolean;
}

export interface Started {
  readonly port: number;
  /** Since the process began, so the loading of the program counts too. */
  readonly readyMs: number;
  /** A key of the service, and one of another account; null where none is asked for. */
  readonly key: string | null;
  readonly otherKey: string | null;
}

/** The file of properties that the service answers from. */
export interface PropertyFile {
  readonly records: number;
  /** Of its index, in memory. */
  readonly bytes: number;
  /** Records that were made anew for it. */
  readonly rebuilt: number;
  /** Since the service began to start. */
  readonly readyMs: number;
}

/** The index of place names that the service answers from. */
export interface PlaceIndexSize {
  readonly count: number;
  /** In shared memory. */
  readonly bytes: number;
}

let running: { readonly service: Composed; readonly sinceMs: number } | null = null;
/** Building it at national size, at the most. */
const PROPERTIES_MS = 2 * 3_600_000;
const PLACES_MS = 600_000;

/** What `look` finds, which gives null until then. */
async function until<T>(what: string, mostMs: number, look: () => T | null): Promise<T> {
  const fromMs = performance.now();
  while (performance.now() - fromMs < mostMs) {
    const found = look();
    if (found !== null) return found;
    await sleep(5);
  }
  throw new Error(`${what} was not built in time.`);
}

/** When it answers from a file of what was published by then, milliseconds UTC. */
export async function untilProperties(publishedAtMs: number): Promise<PropertyFile> {
  const { service, sinceMs } = running ?? raise('No service runs here.');
  const loader =
    service.memories.of(property) ?? raise('Properties are answered by the store alone.');
  return await until('The file of properties', PROPERTIES_MS, () => {
    const records = loader.current?.records;
    if (records === undefined || records.meta.publishedAtMs < publishedAtMs) return null;
    const { count, meta } = records;
    const { bytes } = loader.view();
    return { records: count, bytes, rebuilt: meta.written, readyMs: performance.now() - sinceMs };
  });
}

/** When place names are in its memory. */
export async function untilPlaces(): Promise<PlaceIndexSize> {
  const loader =
    running?.service.memories.of(places) ?? raise('Place names are answered by nobody here.');
  return await until('The index of place names', PLACES_MS, () => {
    const held = loader.current;
    return held && { count: held.finder.placeCount, bytes: loader.view().bytes };
  });
}

function raise(message: string): never {
  throw new Error(message);
}

export async function startService(
  cleanup: Cleanup,
  { settings, open = false }: ServiceOptions,
): Promise<Started> {
  const sinceMs = performance.now();
  const composition = compositionOf({ REQUEST_THREADS: '1', ...settings });
  let threads: ServiceThreads | null = null;
  const role = firstThread(composition.config, () => threads);
  const service = await compose({ ...composition, role, open });
  running = { service, sinceMs };
  cleanup.defer(() => service.close());
  const { memory, app } = service;
  const held = () => memory?.current?.layers.size ?? 0;
  while (memory !== null && held() < LAYER_IDS.length) await sleep(5);
  await listenShared(app, { ...composition, role });
  const port = portOf(app);
  threads = startThreads({ ...composition, service, role, port, sampleUrl: null });
  cleanup.defer(() => threads?.stop());
  while (threads !== null && threads.listening < composition.config.plan.requests - 1)
    await sleep(5);
  const readyMs = performance.now();
  const key = open ? null : await mintKey(service, { permission: 'jobs' });
  const otherKey = open ? null : await mintKey(service);
  return { port, readyMs, key, otherKey };
}

/** A bare Fastify route with a constant body. */
export async function startBare(cleanup: Cleanup, body: string): Promise<Started> {
  const app = Fastify();
  const buffer = Buffer.from(body);
  app.get('/*', (_request, reply) => {
    void reply.header('content-type', 'application/json; charset=utf-8').send(buffer);
  });
  cleanup.defer(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: portOf(app), readyMs: performance.now(), key: null, otherKey: null };
}

function portOf(app: Pick<FastifyInstance, 'server'>): number {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('Not on a port.');
  return address.port;
}

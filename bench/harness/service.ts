/** The servers under test, inside their own process: the service over a store, or a bare route. */
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { compose } from '../../src/start/service.ts';
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

export async function startService(
  cleanup: Cleanup,
  { settings, open = false }: ServiceOptions,
): Promise<Started> {
  const service = await compose({ ...compositionOf(settings), open });
  cleanup.defer(() => service.close());
  const { memory, app } = service;
  while (memory !== null && memory.current?.layers.size !== LAYER_IDS.length) await sleep(5);
  const port = await listen(app);
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
  return { port: await listen(app), readyMs: performance.now(), key: null, otherKey: null };
}

async function listen(app: Pick<FastifyInstance, 'listen' | 'server'>): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('Not on a port.');
  return address.port;
}

/**
 * A server under test, in a process of its own: the service over a store, or a bare Fastify route
 * with a constant body. Says where it listens, and on request what it has used so far.
 */
import type { Server } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import { compose } from '../src/start/service.ts';
import { loadConfig } from '../src/config.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createLogging } from '../src/kernel/logger.ts';
import { LAYER_IDS } from '../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../src/layers/catalogue.ts';
import { mintKey } from '../test/support/keys.ts';

/** What the parent sends. */
export type ServerOrder =
  | {
      readonly kind: 'service';
      readonly settings: Readonly<Record<string, string>>;
      /** Asks nobody for a key. */
      readonly open?: boolean;
    }
  | { readonly kind: 'bare'; readonly body: string }
  | { readonly kind: 'usage' }
  | { readonly kind: 'stop' };

/** What the parent is told. */
export type ServerReport =
  | {
      readonly kind: 'up';
      readonly port: number;
      readonly readyMs: number;
      /** A key of the service; null where none is asked for. */
      readonly key: string | null;
      /** Another account's. */
      readonly otherKey: string | null;
    }
  | { readonly kind: 'usage'; readonly cpuUs: number; readonly rssBytes: number };

let stop: () => Promise<unknown> = () => Promise.resolve();

process.on('message', (order: ServerOrder) => {
  obey(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});

async function obey(order: ServerOrder): Promise<void> {
  switch (order.kind) {
    case 'service':
      tell(await startService(order));
      return;
    case 'bare':
      tell(await startBare(order.body));
      return;
    case 'usage': {
      const { user, system } = process.cpuUsage();
      tell({ kind: 'usage', cpuUs: user + system, rssBytes: process.memoryUsage.rss() });
      return;
    }
    case 'stop':
      await stop();
      process.disconnect();
  }
}

function tell(report: ServerReport): void {
  process.send?.(report);
}

async function startService({
  settings,
  open = false,
}: Extract<ServerOrder, { kind: 'service' }>): Promise<ServerReport> {
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    PLANS_FILE: join(import.meta.dirname, 'plans.json'),
    ...settings,
  });
  const service = await compose({
    config,
    clock: systemClock,
    sources: { catalogue: REGISTERS_CATALOGUE, keys: {} },
    log: createLogging({ level: 'error', stream: process.stderr }).log,
    onExpired: () => undefined,
    open,
  });
  stop = () => service.close();
  const { memory, app } = service;
  while (memory !== null && memory.current?.layers.size !== LAYER_IDS.length) {
    await new Promise((done) => setTimeout(done, 5));
  }
  await app.listen({ host: config.host, port: 0 });
  // Since the process began, so the loading of the program counts too.
  const readyMs = performance.now();
  const key = open ? null : await mintKey(service, { permission: 'jobs' });
  const otherKey = open ? null : await mintKey(service);
  return { kind: 'up', port: portOf(app.server.address()), readyMs, key, otherKey };
}

async function startBare(body: string): Promise<ServerReport> {
  const app = Fastify();
  const buffer = Buffer.from(body);
  app.get('/*', (_request, reply) => {
    void reply.header('content-type', 'application/json; charset=utf-8').send(buffer);
  });
  stop = () => app.close();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const port = portOf(app.server.address());
  return { kind: 'up', port, readyMs: performance.now(), key: null, otherKey: null };
}

function portOf(address: ReturnType<Server['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('Not on a port.');
  return address.port;
}

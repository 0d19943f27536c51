/** The sample's registers mirrored, and the service over them: by its indexes in memory, and by the store alone. */
import { IDLE_KINDS } from '../support/registers.ts';
import { BARE_SERVICES } from '../support/bare-services.ts';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/http/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { REGISTER_IDS, THEMES } from '../../src/layers/keys.ts';
import { addresses } from '../../src/registers/addresses/register.ts';
import { places } from '../../src/registers/places/register.ts';
import { property } from '../../src/registers/property/register.ts';
import { Memories } from '../../src/core/register.ts';
import { openMemory } from '../../src/start/memories.ts';
import { servicesOf } from '../../src/start/service.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { LiftableGuard } from '../../sync/check.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { createWorkers } from '../../workers/pool.ts';
import { OPTIONS } from '../edge/edge.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';

export interface Asked {
  readonly status: number;
  /** Without what tells of the copy: how old it is, and where it comes from. */
  readonly body: unknown;
}

export interface RowWorld {
  readonly bench: AddressBench;
  /** By each way of answering. */
  readonly ask: Readonly<Record<'memory' | 'store', (path: string) => Promise<Asked>>>;
  readonly sync: (register: RegisterId, lifted: readonly LiftableGuard[]) => Promise<RunOutcome>;
  close(): Promise<void>;
}

/** Mirrors the municipalities and every register, where they are not. The bench is the caller's, to close too. */
export async function openRowWorld(bench: AddressBench): Promise<RowWorld> {
  const { deps, store } = bench;
  const silent = { trigger: 'command', liftedGuards: LIFTABLE_GUARDS } as const;
  const held = new Set(await bench.column('select layer from layer_state'));
  for (const mirror of [...THEMES, ...REGISTER_IDS]) {
    if (held.has(mirror)) continue;
    const outcome = await syncLayer(deps, mirror, silent);
    if (outcome.state !== 'published') throw new Error(`${mirror}: ${JSON.stringify(outcome)}`);
  }
  const options = {
    config: loadConfig({ DATA_DIR: mkdtempSync(join(store.dataDir, 'rows-')), THREADS: '1' }),
    ...{ clock: deps.clock, sources: deps, onExpired: () => undefined },
    log: createLogging({ level: 'silent' }).log,
  };
  const workers = createWorkers({ threads: 1 });
  const { memories } = openMemory(options, { store, workers, storeNames: ['test'], shared: null });
  const loaders = [memories.of(addresses), memories.of(property), memories.of(places)];
  const wfs = createWfsClient({});
  const open = async (inMemory: Memories): Promise<FastifyInstance> =>
    await buildApp(
      {
        ...BARE_SERVICES,
        ...servicesOf(options, { store, workers, wfs, memory: null, memories: inMemory }),
        jobKinds: IDLE_KINDS,
        status: () => Promise.reject(new Error('Nobody asks here.')),
      },
      OPTIONS,
    );
  const apps = { memory: await open(memories), store: await open(new Memories()) };
  const refresh = async (): Promise<void> => {
    for (const each of loaders) await each?.refresh();
  };
  await refresh();
  return {
    bench,
    ask: { memory: asking(apps.memory), store: asking(apps.store) },
    sync: async (register, liftedGuards) => {
      const outcome = await syncLayer(deps, register, { trigger: 'command', liftedGuards });
      await refresh();
      return outcome;
    },
    close: async () => {
      await Promise.all([apps.memory.close(), apps.store.close()]);
      for (const each of memories.all) await each.stop();
      await Promise.all([workers.close(), wfs.close()]);
    },
  };
}

const asking =
  (app: FastifyInstance) =>
  async (path: string): Promise<Asked> => {
    const { statusCode: status, body } = await app.inject(path);
    return { status, body: withoutMeta(JSON.parse(body)) };
  };

function withoutMeta(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMeta);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => !OF_THE_COPY.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutMeta(each)]));
}

const OF_THE_COPY: ReadonlySet<string> = new Set(['meta', 'request_id', 'hentet']);

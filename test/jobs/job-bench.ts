/** A mirrored sample with everything in memory, an edge over it, and jobs put straight into the store. */
import { BARE_SERVICES } from '../support/bare-services.ts';
import { testLookups } from '../support/lookups.ts';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { samplePoint } from '../../sample/points.ts';
import { newId } from '../../src/account/ids.ts';
import type { Environment, Plans } from '../../src/account/plans.ts';
import { buildApp } from '../../src/http/app.ts';
import { createAddressLoader } from '../../src/registers/addresses/load.ts';
import { addresses } from '../../src/registers/addresses/register.ts';
import { composeJobs, jobKinds } from '../../src/start/jobs.ts';
import type { JobParts } from '../../src/start/jobs.ts';
import { LAYERS } from '../../src/registers.ts';
import { createLayerLoader } from '../../src/memory/layer-loader.ts';
import { storeNameOf } from '../../src/db/store-name.ts';
import type { Store } from '../../src/db/connect.ts';
import type { Services } from '../../src/http/services.ts';
import { encodeRows } from '../../src/jobs/chunk-rows.ts';
import type { Row } from '../../src/core/rows/cells.ts';
import type { ChunkLengths } from '../../src/core/rows/chunk-types.ts';
import { readSection } from '../../src/jobs/files/chunk-output.ts';
import { createJobFiles } from '../../src/jobs/files/file.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { JobRunner, RunnerTimes } from '../../src/jobs/runner.ts';
import type { Action } from '../../src/jobs/state.ts';
import type { Job, Kind, RoleColumns, Srid, Status } from '../../src/core/rows/job-types.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { keptAccess } from '../edge/access.ts';
import { addAccount, plansOf } from '../metering/metering-fixture.ts';
import { keptLog } from '../support/log.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { HANG_MS } from '../support/run-settings.ts';
import type { TestStore } from '../support/store.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';

export interface RunnerChange {
  readonly store?: Store;
  readonly plans?: Plans;
  readonly times?: Partial<RunnerTimes>;
  /** Nothing in memory: every row climbs the ladder. */
  readonly slow?: boolean;
  /** Whether the addresses are published and cannot be built into memory. */
  readonly lacksAddresses?: () => boolean;
  /** Instead of the bench's. */
  readonly memory?: JobParts['memory'];
}

export interface JobBench extends AddressBench {
  readonly workers: Workers;
  readonly services: Services;
  readonly edge: FastifyInstance;
  readonly memory: LayerLoader;
  /** The edge as an account's key sees it: `Authorization: Bearer <account id>`. */
  keyed(owner: Owner): Promise<FastifyInstance>;
  readonly said: string[];
  /** Where the sample is mirrored from. */
  readonly upstreamUrl: string;
  /** Not started; stopped when the bench closes. */
  runner(change?: RunnerChange): JobRunner;
}

const EDGE = {
  publicUrl: 'https://geo.example',
  logLevel: 'silent',
  newRequestId: () => 'fresh-id',
} as const;

/** Open in `beforeAll`, close in `afterAll`. A store that is given has everything mirrored. */
export async function openJobBench(given?: TestStore): Promise<JobBench> {
  const bench = await openAddressBench(given ?? (await openMirroredStore('served')));
  const { store, deps } = bench;
  const { catalogue, keys, clock } = deps;
  const workers = createWorkers({ threads: 1 });
  const wfs = createWfsClient({ clock });
  const said: string[] = [];
  const common = {
    store,
    workers,
    directory: join(store.dataDir, 'snapshots'),
    storeName: storeNameOf(store.databaseUrl),
    log: (message: string) => void said.push(message),
  };
  const memory = createLayerLoader({ sources: LAYERS, ...common, clock, catalogue });
  const addressMemory = createAddressLoader(common);
  await memory.refresh();
  await addressMemory.refresh();
  const lookups = (held: boolean) =>
    testLookups(
      { catalogue, keys, clock },
      {
        ...{ store, workers, wfs, memory: held ? memory : null },
        indexes: { addresses: held ? addressMemory : null },
      },
    );
  const composed = {
    ...BARE_SERVICES,
    catalogue,
    ...lookups(true),
    status: () => readStatus(store, catalogue, clock.nowMs()),
  };
  const kinds = jobKinds(composed, { isInvented: true });
  const services = { ...composed, jobKinds: kinds };
  const edge = await buildApp(services, EDGE);
  const edges = [edge];
  const runners: JobRunner[] = [];
  return {
    ...bench,
    workers,
    services,
    edge,
    memory,
    said,
    upstreamUrl: bench.upstreamUrl,
    keyed: async (owner) => {
      const key = { ...owner, permission: 'jobs', tier: 'business' } as const;
      const access = keptAccess({ [owner.accountId]: key });
      const jobs = createJobs({ store, clock });
      const jobFiles = createJobFiles(store, services.jobKinds);
      const made = await buildApp({ ...services, access, jobs, jobFiles }, EDGE);
      edges.push(made);
      return made;
    },
    runner: ({ slow = false, times, lacksAddresses: isLacking, ...change } = {}) => {
      const known = slow ? { ...services, ...lookups(false) } : services;
      const ofAddresses = known.lookupsOf(addresses);
      const accesses = { ...ofAddresses.accesses, ...(isLacking && { isLacking }) };
      const lookupsOf = ((register) =>
        register.name === addresses.name
          ? { ...ofAddresses, accesses }
          : known.lookupsOf(register)) as typeof known.lookupsOf;
      const made = composeJobs({
        store,
        workers,
        lookups: { ...known, lookupsOf },
        memory: slow ? null : memory,
        isInvented: true,
        plans: plansOf(1_000_000),
        clock,
        searchRadiusM: 500,
        dataDir: store.dataDir,
        threads: 1,
        log: keptLog(),
        ...change,
        ...(times && { times }),
      });
      runners.push(made);
      return made;
    },
    close: async () => {
      await Promise.all(runners.map((each) => each.stop()));
      await Promise.all(edges.map((each) => each.close()));
      await Promise.all([workers.close(), wfs.close()]);
      await Promise.all([memory.stop(), addressMemory.stop()]);
      await bench.close();
    },
  };
}

export interface Owner {
  readonly accountId: string;
  readonly keyId: string;
}

/** An account with a key of its own in the store. */
export async function addOwner(store: Pick<Store, 'db'>): Promise<Owner> {
  return addKey(store, await addAccount(store, 'business'));
}

export async function addKey(store: Pick<Store, 'db'>, accountId: string): Promise<Owner> {
  const keyId = newId('key');
  await sql`
    insert into api_key (id, account_id, hash, prefix, name, kind, environment, permission, created_at)
    values (${keyId}, ${accountId}, sha256(${keyId}::bytea), 'svc_live_prøve', 'Prøve', 'secret',
      'live', 'jobs', now())`.execute(store.db);
  return { accountId, keyId };
}

/** What a key of the account may ask of its jobs. */
export function actAs(
  { store, deps }: Pick<JobBench, 'store' | 'deps'>,
  { accountId, keyId }: Owner,
  { id, action }: { readonly id: string; readonly action: Action },
): Promise<Job> {
  const by = { keyId, mayRun: () => undefined };
  const jobs = createJobs({ store, clock: deps.clock });
  return jobs.act({ accountId, environment: 'live' }, id, { action, by });
}

export interface NewJob extends Owner {
  readonly kind: Kind;
  readonly columns: RoleColumns;
  readonly inputColumns: readonly string[];
  readonly rows: readonly Row[];
  readonly srid?: Srid;
  readonly environment?: Environment;
  readonly status?: Status;
  /** JOB_LIMITS.chunkRows where absent. */
  readonly chunkRows?: number;
}

/** What a job with points in metres states. */
export const METRES = {
  kind: 'dagi',
  srid: 25832,
  columns: { x: 'x', y: 'y' },
  inputColumns: ['x', 'y'],
} as const;
const { utm32 } = samplePoint('beach-cut');
/** A row of it that has an answer. */
export const GOOD = [String(utm32.xUtm32), String(utm32.yUtm32)];

/** A job as it stands after its last append; its id. */
export async function addJob(store: Pick<Store, 'db'>, job: NewJob): Promise<string> {
  const { accountId, keyId, kind, columns, inputColumns, rows } = job;
  const { srid = 4326, environment = 'live', status = 'queued' } = job;
  const { chunkRows = JOB_LIMITS.chunkRows } = job;
  const id = newId('job');
  const chunks = Math.ceil(rows.length / chunkRows);
  await sql`
    insert into job (id, account_id, key_id, environment, kind, status, columns, srid, input_columns,
      total_rows, chunks, created_at, updated_at)
    values (${id}, ${accountId}, ${keyId}, ${environment}, ${kind}, ${status},
      ${JSON.stringify(columns)}::jsonb, ${srid}, ${[...inputColumns]}::text[], ${rows.length},
      ${chunks}, now(), now())`.execute(store.db);
  for (let chunk = 0; chunk < chunks; chunk++) {
    const some = rows.slice(chunk * chunkRows, (chunk + 1) * chunkRows);
    await sql`
      insert into job_chunk (job_id, chunk, first_row, rows, input)
      values (${id}, ${chunk}, ${chunk * chunkRows}, ${some.length}, ${encodeRows(some)})`.execute(
      store.db,
    );
  }
  return id;
}

export interface JobState {
  readonly status: Status;
  readonly total_rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly billed_units: number;
  readonly generation: number | null;
  readonly error: string | null;
}

export async function stateOf(store: Pick<Store, 'db'>, id: string): Promise<JobState> {
  const { rows } = await sql<JobState>`
    select status, total_rows, succeeded, failed, billed_units, generation, error
    from job where id = ${id}`.execute(store.db);
  const [state] = rows;
  if (state === undefined) throw new Error(`There is no job ${id}.`);
  return state;
}

/** Of the bench that is open by then: what is worked on while a runner runs. */
export const runningOn =
  (opened: () => JobBench) =>
  async <T>(change: RunnerChange, work: (runner: JobRunner) => Promise<T>): Promise<T> => {
    const runner = opened().runner(change);
    runner.start();
    try {
      return await work(runner);
    } finally {
      await runner.stop();
    }
  };

/** Works on the job to its end. */
export type Owned = Awaited<ReturnType<typeof finishedJob>>;

/** A job, of points unless told, done, and what its owner fetches of it and of others. */
export async function finishedJob(
  bench: JobBench,
  job: Pick<NewJob, 'inputColumns' | 'rows' | 'chunkRows'> &
    Partial<Pick<NewJob, 'kind' | 'columns'>>,
) {
  const owner = await addOwner(bench.store);
  const edge = await bench.keyed(owner);
  const columns = { x: 'x', y: 'y' };
  const id = await addJob(bench.store, { ...owner, kind: 'dagi', srid: 25832, columns, ...job });
  await finish(bench, id);
  const authorization = `Bearer ${owner.accountId}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    edge.inject({ url: `/v1/jobs/${path}`, headers: { authorization, ...headers } });
  return { owner, edge, id, get };
}

export const finish = (bench: JobBench, id: string, change: RunnerChange = {}): Promise<JobState> =>
  runningOn(() => bench)(change, () => until(bench.store, id));

/** Waits until the job is in one of the statuses. */
export async function until(
  store: Pick<Store, 'db'>,
  id: string,
  statuses: readonly Status[] = ['completed', 'failed', 'cancelled'],
): Promise<JobState> {
  const deadline = performance.now() + 3 * HANG_MS;
  for (;;) {
    const state = await stateOf(store, id);
    if (statuses.includes(state.status)) return state;
    if (performance.now() > deadline) throw new Error(`Still ${JSON.stringify(state)}.`);
    await sleep(20);
  }
}

export interface ResultLine {
  readonly raekke: number;
  readonly generation: number | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly svar: unknown;
  readonly error?: string;
  readonly status?: number;
}

/** What is on file of a job, read from its chunks. */
export async function linesOf(
  store: Pick<Store, 'db'>,
  id: string,
): Promise<{ readonly results: ResultLine[]; readonly errors: ResultLine[] }> {
  const { rows } = await sql<{
    output: Buffer | null;
    errors: Buffer | null;
    lengths: ChunkLengths | null;
  }>`select output, errors, lengths from job_chunk where job_id = ${id} order by chunk`.execute(
    store.db,
  );
  const found = { results: [] as ResultLine[], errors: [] as ResultLine[] };
  for (const { output, errors } of rows) {
    if (output !== null) found.results.push(...(await linesIn(output)));
    if (errors !== null) found.errors.push(...(await linesIn(errors)));
  }
  return found;
}

async function linesIn(parts: Buffer): Promise<ResultLine[]> {
  const text = (await readSection(parts, 'lines')).toString();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ResultLine);
}

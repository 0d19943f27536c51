/** Servers under test, as their parent knows them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from './composition.ts';
import { drive, expectNoRefusal } from './load.ts';
import type { Load, LoadResult } from './load.ts';
import { MeasuredProcess } from './process.ts';
import type { PlaceIndexSize, PropertyFile, Started } from './service.ts';
import type { Cleanup } from './store.ts';
import type { Usage } from './tasks.ts';

export interface Server extends Started {
  usage(): Promise<Usage>;
  /** Of the service: when it has a file of the properties that were published by then. */
  untilProperties(publishedAtMs: number): Promise<PropertyFile>;
  /** Of the service: when it has the place names in memory. */
  untilPlaces(): Promise<PlaceIndexSize>;
  /** From now on the most memory is noted. */
  resetPeak(): Promise<void>;
  /** Before the benchmark ends. */
  end(): Promise<void>;
}

/** The service; `open`: nobody is asked for a key. It mirrors nothing itself. */
export async function startService(
  cleanup: Cleanup,
  settings: Settings,
  { open = false }: { readonly open?: boolean } = {},
): Promise<Server> {
  const child = new MeasuredProcess(cleanup);
  const input = { settings: { SYNC: 'off', ...settings }, open };
  return serverOf(child, await child.run('service', input));
}

/** A bare Fastify route with a constant body. */
export async function startBare(cleanup: Cleanup, body: string): Promise<Server> {
  const child = new MeasuredProcess(cleanup);
  return serverOf(child, await child.run('bare', body));
}

function serverOf(child: MeasuredProcess, started: Started): Server {
  return {
    ...started,
    usage: () => child.run('usage', null),
    untilProperties: (publishedAtMs) => child.run('untilProperties', publishedAtMs),
    untilPlaces: () => child.run('untilPlaces', null),
    resetPeak: () => child.run('resetPeak', null),
    end: () => child.end(),
  };
}

/** The answer to a `GET`, as the holder of the server's key. */
export async function ask({ port, key }: Server, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key ?? ''}` };
  return await fetch(`http://127.0.0.1:${port}${path}`, { headers });
}

/** Whether nothing of it is from elsewhere. */
export function isFromMemory(answer: Response): boolean {
  return (answer.headers.get('cache-status') ?? '').includes('detail=snapshot');
}

/** Loading every snapshot and building the indexes, at the most. */
const READY_MS = 30 * 60_000;

export async function untilFromMemory(server: Server, paths: readonly string[]): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < READY_MS) {
    const answers = await Promise.all(paths.map((path) => ask(server, path)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    if (answers.every(isFromMemory)) return;
    await sleep(100);
  }
  throw new Error('The indexes were not built in time.');
}

/** Speed and cost of requests at a server. */
export interface Measured extends LoadResult {
  /** Processor time of the server for one request, microseconds: not moved by a busy machine. */
  readonly cpuUs: number;
}

/** Drives the server; throws where an answer was not 200. */
export async function measureServer(server: Server, load: Omit<Load, 'port'>): Promise<Measured> {
  const before = await server.usage();
  const result = expectNoRefusal(await drive({ ...load, port: server.port }));
  const cpuUs = ((await server.usage()).cpuUs - before.cpuUs) / result.answers;
  return { ...result, cpuUs };
}

/** A contestant: so many connections without pause; shorter where code is made warm. */
export function driven(
  server: Server,
  requests: readonly Buffer[],
  { connections, durationMs }: Pick<Load, 'connections' | 'durationMs'>,
): (round: number) => Promise<Measured> {
  return (round) =>
    measureServer(server, {
      ...{ requests, connections },
      durationMs: round < 0 ? durationMs / 2 : durationMs,
    });
}

/** The one of most answers a second. */
export function fastest(rounds: readonly Measured[]): Measured {
  return rounds.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
}

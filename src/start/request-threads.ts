import { join } from 'node:path';
import type { FastifyInstance, FastifyListenOptions } from 'fastify';
import { environmentOfThreads } from '../config.ts';
import type { Config } from '../config.ts';
import { mergeEnded } from '../http/thread-report.ts';
import type { EndedThreads, ThreadReport } from '../http/thread-report.ts';
import type { Log } from '../kernel/log.ts';
import { Balance, loadsBuffer } from '../threads/balance.ts';
import { createLimiterMemory } from '../kernel/limiter-memory.ts';
import { forgetThread, sharedLimiters } from '../kernel/limiters.ts';
import { Leader } from '../threads/feed.ts';
import { RequestThreads } from '../threads/request-threads.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import { listenError } from './preflight.ts';
import type { Composed } from './service.ts';
import { configOfThread } from './thread-config.ts';
import type { RequestThreadSettings } from './thread-config.ts';
import { alone, noOthers } from './thread-role.ts';
import type { FirstThread } from './thread-role.ts';

export type ServiceThreads = RequestThreads<RequestThreadSettings, ThreadReport, EndedThreads>;

/** `threads`: the result of `startThreads`, null before. */
export function firstThread(
  { plan }: Pick<Config, 'plan'>,
  threads: () => ServiceThreads | null,
): FirstThread {
  if (plan.requests === 1) return alone();
  const shared = { loads: loadsBuffer(plan.requests), limits: createLimiterMemory(plan.requests) };
  return {
    kind: 'first',
    leader: new Leader(),
    ...{ shared, balance: new Balance(shared.loads, 0) },
    limiters: sharedLimiters(shared.limits, 0),
    others: () => threads()?.reports ?? noOthers(),
    othersRead: () => threads()?.read(),
  };
}

interface StartParts {
  readonly config: Config;
  readonly service: Composed;
  readonly role: FirstThread;
  /** The first thread's port. */
  readonly port: number;
  /** null: the registers are asked. */
  readonly sampleUrl: string | null;
  readonly log: Log;
}

/** null: there is one thread. */
export function startThreads(parts: StartParts): ServiceThreads | null {
  const { config, service, role, port, sampleUrl, log } = parts;
  const { leader, shared } = role;
  const { operator } = service.answers;
  if (leader === null || shared === null || operator === null) return null;
  const { can, liftableGuards } = operator;
  const threads = new RequestThreads<RequestThreadSettings, ThreadReport, EndedThreads>({
    file: new URL('./request.thread.ts', import.meta.url),
    count: config.plan.requests - 1,
    heapMiB: config.plan.heapMiB,
    settings: {
      ...{ config: configOfThread(config), port, sampleUrl, shared },
      isTerminal: process.stdout.isTTY,
      operator: { can, liftableGuards },
    },
    env: environmentOfThreads(join(config.dataDir, 'compiled')),
    leader,
    services: { ...service.answers, operator },
    merge: mergeEnded,
    onEnded: (number) => forgetThread(shared.limits, number),
    onStuck: (number) => endProcess(log, `request thread ${number} cannot be ended`),
    log,
  });
  void threads.start();
  service.migrated.then(
    () => threads.migrated(),
    () => undefined,
  );
  return threads;
}

/** Its supervisor starts a new process. Journals keep what was not folded. */
function endProcess(log: Log, why: string): void {
  log.error({ component: 'threads' }, `${why}: the process ends`);
  // `exit` would wait for the thread that hangs.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
}

/** Reports a new conflict like `preflight`. */
export async function listen(
  app: FastifyInstance,
  { config: { host, port }, role, log }: ListenParts,
): Promise<boolean> {
  const reusePort = role.leader !== null;
  try {
    await app.listen(listening(host, port, reusePort));
    return reusePort;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!reusePort || !NO_REUSE.includes(code)) throw listenError(error, { host, port });
  }
  log.warn({}, 'REQUEST_THREADS: this system lets one thread listen on a port, so there is one.');
  const { limiters } = role;
  const { threads } = limiters;
  limiters.counter('listening threads', { each: threads, total: threads }).add('', threads - 1);
  await app.listen(listening(host, port, false));
  return false;
}

/** The kernel queues a burst of connections, which would otherwise retry a second later. */
export function listening(host: string, port: number, reusePort: boolean): FastifyListenOptions {
  // The framework passes on what its type does not name.
  return { host, port, backlog: HTTP_LIMITS.connections.total, ...{ reusePort } };
}

const NO_REUSE: readonly string[] = ['ENOTSUP', 'EOPNOTSUPP', 'ENOPROTOOPT', 'EINVAL'];

interface ListenParts {
  readonly config: Pick<Config, 'host' | 'port'>;
  readonly role: FirstThread;
  readonly log: Log;
}

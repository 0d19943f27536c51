/** Two programs over one store, as two machines would be, with request threads that a test ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeAccounts } from '../../src/start/accounts.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { TOKEN } from '../edge/operator.ts';
import { mintKey } from './keys.ts';
import { openMirroredStore } from './mirrored-store.ts';
import type { TestStore } from './store.ts';
import { runInThread } from './thread-inspector.ts';
import { startProgram } from './whole-service.ts';
import type { StartedProgram } from './whole-service.ts';

export interface Running {
  /** Where it listens; null: it is being started. */
  readonly base: string | null;
  /** Request threads, the first included. */
  threads(): Promise<number>;
  /** The thread of that number, from 1. */
  endThread(thread: number): Promise<void>;
  /** With -9; resolves when another has taken its place. */
  killProcess(): Promise<void>;
}

export interface TwoPrograms {
  readonly store: TestStore;
  readonly programs: readonly [Running, Running];
  readonly accounts: ReturnType<typeof composeAccounts>;
  readonly mint: (options?: Parameters<typeof mintKey>[1]) => Promise<string>;
  close(): Promise<void>;
}

class Program implements Running {
  base: string | null = null;
  readonly #settings: Readonly<Record<string, string>>;
  #started: StartedProgram | null = null;
  #debuggerUrl = '';

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const program = startProgram(this.#settings);
    this.#started = program;
    const base = await program.base();
    this.#debuggerUrl = await program.until((said) => debuggerIn(said));
    await program.until(async () => ((await threadsAt(base)) === THREADS ? true : undefined));
    this.base = base;
  }

  async threads(): Promise<number> {
    return this.base === null ? 0 : await threadsAt(this.base);
  }

  async endThread(thread: number): Promise<void> {
    await runInThread(this.#debuggerUrl, thread, 'process.exit(1)');
  }

  async killProcess(): Promise<void> {
    this.base = null;
    await this.#started?.kill();
    await this.start();
  }

  async stop(): Promise<void> {
    this.base = null;
    await this.#started?.stop();
  }
}

export const THREADS = 4;

function debuggerIn(said: string): string | undefined {
  return /Debugger listening on (ws:\S+)/.exec(said)?.[1];
}

/** NaN: it does not say. */
async function threadsAt(base: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const asked = fetch(`${base}/metrics`, { headers }).then((answer) => answer.text());
  const text = await asked.catch(() => '');
  return Number(/^geoopslag_threads (\d+)$/m.exec(text)?.[1]);
}

/** On PostgreSQL: two programs share no embedded store. */
export async function startTwoPrograms(
  plans: object,
  settings: Readonly<Record<string, string>> = {},
): Promise<TwoPrograms> {
  const store = await openMirroredStore('layers');
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-two-'));
  const plansFile = join(dir, 'plans.json');
  writeFileSync(plansFile, JSON.stringify(plans));
  const programs = ['one', 'two'].map(
    (name) =>
      new Program({
        ...{ DATABASE_URL: store.databaseUrl ?? '', DATA_DIR: join(dir, name) },
        ...{ PLANS_FILE: plansFile, OPERATOR_TOKEN: TOKEN, REQUEST_THREADS: String(THREADS) },
        ...{ SYNC: 'off', WEBHOOKS: 'off', NODE_OPTIONS: '--inspect=127.0.0.1:0' },
        ...settings,
      }),
  ) as [Program, Program];
  for (const program of programs) await program.start();
  const accounts = composeAccounts({ store, clock: systemClock });
  return {
    ...{ store, programs, accounts },
    mint: (options) => mintKey({ accounts }, options),
    close: async () => {
      await Promise.all(programs.map((program) => program.stop()));
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

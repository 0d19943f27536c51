/** Runs of a sync in processes of their own: whole ones, and ones that are killed. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedFiles } from '../../src/db/embedded-files.ts';
import type { MirrorId } from '../../src/layers/keys.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import { OVER } from './kill-terms.ts';
import type { ChildOrder, ChildReport, KillAt } from './kill-terms.ts';

/** What a killed process or a broken connection may take to be over. */
const SETTLE_MS = 60_000;
/** Told apart from our own connections by name. */
const NAME = 'killed';
/** Children started ahead: what is killed is a run, not the start of a process. */
const AHEAD = 2;

type KillBench = Pick<SyncBench, 'store' | 'upstream'>;
type Ended = Extract<ChildReport, { kind: 'ended' }>;

interface Child {
  readonly process: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly begun: Promise<unknown>;
  /** By itself, or because it broke: either is the last it says. */
  readonly ended: Promise<ChildReport>;
  readonly exited: Promise<unknown>;
}

export interface Kill {
  readonly left: 'old' | 'new';
  /** null: it came too late. */
  readonly diedIn: string | null;
}

export class KillRuns {
  readonly #bench: KillBench;
  readonly #records: string | null;
  readonly #children: Child[] = [];
  readonly #trace: string;

  /** `records`: where the file of properties is built behind a publication; absent: it is not. */
  constructor(bench: KillBench, records: string | null = null) {
    this.#bench = bench;
    this.#records = records;
    this.#trace = join(bench.store.dataDir, 'killed.txt');
  }

  close(): void {
    for (const child of this.#children) child.process.kill('SIGKILL');
  }

  async whole(layer: MirrorId): Promise<Ended> {
    const child = await this.#next();
    this.#send(child, layer, { kind: 'never' });
    const last = await Promise.race([child.ended, child.exited]);
    child.process.disconnect();
    await child.exited;
    const report = last as Partial<ChildReport>;
    if (report.kind !== 'ended') throw new Error(`A child broke: ${JSON.stringify(last)}`);
    return report as Ended;
  }

  /**
   * A run that is killed, and on the embedded store the store's process with it when told so.
   * Returns the phase it died in; null when it was over by itself before.
   */
  async killed(layer: MirrorId, at: KillAt, withStore: boolean): Promise<string | null> {
    const child = await this.#next();
    this.#send(child, layer, at);
    const over = Promise.race([child.ended, child.exited]);
    if (at.kind === 'moment') {
      await Promise.race([child.begun, over]);
      await Promise.race([sleep(at.afterMs), over]);
    } else {
      await over;
    }
    child.process.kill('SIGKILL');
    if (withStore) this.#killStore();
    await child.exited;
    await this.#settled();
    const trace = readFileSync(this.#trace, 'utf8');
    return child.process.signalCode === 'SIGKILL' && trace !== OVER ? trace : null;
  }

  async #next(): Promise<Child> {
    this.#forkAhead(AHEAD);
    const child = this.#children.shift();
    await child?.ready;
    this.#forkAhead(AHEAD);
    return child!;
  }

  #forkAhead(count: number): void {
    while (this.#children.length < count) this.#children.push(this.#fork());
  }

  #fork(): Child {
    const child = fork(join(import.meta.dirname, 'kill-child.ts'), { stdio: 'inherit' });
    const heard = (...kinds: readonly ChildReport['kind'][]) =>
      new Promise<ChildReport>((resolve) => {
        child.on('message', (report: ChildReport) => {
          if (kinds.includes(report.kind)) resolve(report);
        });
      });
    const exited = once(child, 'exit');
    return {
      process: child,
      ready: Promise.race([heard('ready'), exited]),
      begun: heard('begun'),
      ended: heard('ended', 'broken'),
      exited,
    };
  }

  #send({ process: child }: Child, layer: MirrorId, at: KillAt): void {
    const { store, upstream } = this.#bench;
    const { databaseUrl, dataDir } = store;
    const order: ChildOrder = {
      layer,
      upstreamUrl: upstream.url,
      databaseUrl: databaseUrl === null ? null : `${databaseUrl}&application_name=${NAME}`,
      dataDir,
      trace: this.#trace,
      records: this.#records,
      at,
    };
    child.send(order);
  }

  #killStore(): void {
    const { owner } = embeddedFiles(this.#bench.store.dataDir);
    const { pid } = JSON.parse(readFileSync(owner, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
  }

  /** Waits until the store answers and nothing of the dead process is at work in it any more. */
  async #settled(): Promise<void> {
    const deadline = performance.now() + SETTLE_MS;
    for (;;) {
      try {
        const { rows } = await this.#bench.store.pool.query(
          'select from pg_stat_activity where application_name = $1',
          [NAME],
        );
        if (rows.length === 0) return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
      if (performance.now() > deadline) throw new Error('A killed run is still at work.');
      await sleep(10);
    }
  }
}

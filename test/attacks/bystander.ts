/**
 * A service in a process of its own, attackers in others, and a client beside them who asks one
 * question at a time and counts how long each answer takes.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FloodOrder, FloodReport } from './flood-process.ts';
import type { ServiceOrder, ServiceReport } from './service-process.ts';

export interface AttackedService {
  readonly port: number;
  readonly pid: number;
  report(): Promise<ServiceReport>;
  stop(): Promise<void>;
}

const start = (file: string): ChildProcess =>
  fork(join(import.meta.dirname, file), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

async function told<T>(child: ChildProcess): Promise<T> {
  const [report] = (await once(child, 'message')) as [T];
  return report;
}

export async function startService(
  order: ServiceOrder = { fastPath: true },
): Promise<AttackedService> {
  const child = start('service-process.ts');
  const report = async (): Promise<ServiceReport> => {
    const answer = told<ServiceReport>(child);
    child.send(order);
    return await answer;
  };
  const { port } = await report();
  return { port, pid: child.pid!, report, stop: () => ended(child) };
}

export async function flood(order: FloodOrder): Promise<FloodReport> {
  const child = start('flood-process.ts');
  const answer = told<FloodReport>(child);
  child.send(order);
  return await answer;
}

export function floodWithoutEnd(order: Omit<FloodOrder, 'durationMs'>): {
  stop: () => Promise<void>;
} {
  const child = start('flood-process.ts');
  child.send({ ...order, durationMs: 600_000 } satisfies FloodOrder);
  return { stop: () => ended(child) };
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

/** Without the time in which other work of the machine had the processors: an attack does not take that. */
export interface Waits {
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

const QUESTION = '/v1/natur/byggelinjer?lon=12.1&lat=55.6';
/** Between two questions: a client, not a load. */
const PAUSE_MS = 2;
const END_OF_HEAD = '\r\n\r\n';
const LENGTH = 'content-length: ';

/** Asks with a key of its own until the time is up; an answer other than 200 is an error. */
async function askAlong(
  { port, pid }: Pick<AttackedService, 'port' | 'pid'>,
  durationMs: number,
): Promise<Waits> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const head = `GET ${QUESTION} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer svc_live_two\r\n\r\n`;
  const waits: number[] = [];
  const untilMs = performance.now() + durationMs;
  while (performance.now() < untilMs) {
    const starved = [pid, process.pid].map(starvation);
    const startedMs = performance.now();
    socket.write(head);
    await wholeAnswer(socket);
    const waitedMs = performance.now() - startedMs;
    waits.push(starved.reduce((leftMs, starvedMs) => Math.max(0, leftMs - starvedMs()), waitedMs));
    await sleep(PAUSE_MS);
  }
  socket.destroy();
  waits.sort((a, b) => a - b);
  const at = (share: number): number => waits[Math.floor(share * (waits.length - 1))] ?? NaN;
  return { answers: waits.length, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: at(1) };
}

/**
 * How long a process has then been kept from running by others that took the processors: the thread that waited
 * longest. Nothing where the system does not count it.
 */
function starvation(pid: number): () => number {
  const before = waitsForProcessor(pid);
  return () => {
    const waits = [...waitsForProcessor(pid)];
    return Math.max(0, ...waits.map(([thread, ms]) => ms - (before.get(thread) ?? 0)));
  };
}

/** Milliseconds that each thread of a process could have run and did not, by Linux. */
function waitsForProcessor(pid: number): ReadonlyMap<string, number> {
  const tasks = `/proc/${pid}/task`;
  try {
    return new Map(
      readdirSync(tasks).map((thread) => {
        const [, waitedNs] = readFileSync(join(tasks, thread, 'schedstat'), 'utf8').split(' ');
        return [thread, Number(waitedNs) / 1e6];
      }),
    );
  } catch {
    return new Map();
  }
}

async function wholeAnswer(socket: ReturnType<typeof connect>): Promise<void> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString('latin1');
    const end = text.indexOf(END_OF_HEAD);
    if (end < 0) continue;
    if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(text.slice(0, end));
    const at = text.toLowerCase().indexOf(LENGTH);
    const length = Number.parseInt(text.slice(at + LENGTH.length), 10);
    if (text.length >= end + END_OF_HEAD.length + length) return;
  }
}

export interface Beside {
  readonly quiet: Waits;
  readonly attacked: Waits;
  readonly flooded: FloodReport;
  readonly before: ServiceReport;
  readonly after: ServiceReport;
}

/** The same client without and with attackers; they begin a moment before it asks. */
export async function beside(
  service: AttackedService,
  attack: Omit<FloodOrder, 'port' | 'durationMs'>,
  { quietMs = 1_500, attackMs = 4_000 } = {},
): Promise<Beside> {
  const { port } = service;
  await askAlong(service, quietMs / 3);
  const quiet = await askAlong(service, quietMs);
  const before = await service.report();
  const flooding = flood({ ...attack, port, durationMs: attackMs });
  const attacked = await askAlong(service, attackMs);
  const flooded = await flooding;
  return { quiet, attacked, flooded, before, after: await service.report() };
}

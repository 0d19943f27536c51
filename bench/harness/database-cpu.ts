/** Processor time of PostgreSQL, from /proc. Linux only. */
import { readFileSync } from 'node:fs';
import { childrenOf } from '../../test/support/postgres-cluster.ts';

/** Ticks of the processor's clock in /proc. */
const TICK_US = 10_000;

interface ProcessTimes {
  readonly parent: number;
  readonly ownUs: number;
  /** Of its children that have ended. */
  readonly endedUs: number;
}

function timesOf(pid: number): ProcessTimes {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
  const us = (at: number): number => (fields[at]! + fields[at + 1]!) * TICK_US;
  return { parent: fields[1]!, ownUs: us(11), endedUs: us(13) };
}

/** Of the whole server that this process of it belongs to, since its start. */
export function serverUs(backendPid: number): number {
  const { parent: server } = timesOf(backendPid);
  const { ownUs, endedUs } = timesOf(server);
  return childrenOf(server).reduce((sum, pid) => sum + runningUs(pid), ownUs + endedUs);
}

/** 0: it has ended meanwhile. */
function runningUs(pid: number): number {
  try {
    return timesOf(pid).ownUs;
  } catch {
    return 0;
  }
}

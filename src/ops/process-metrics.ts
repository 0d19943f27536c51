/** Names are those that Prometheus dashboards expect. */
import { readFileSync, readdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import process from 'node:process';
import { Counter, Gauge } from '@prometheus-io/client';
import type { Registry } from '@prometheus-io/client';
import { memoryLimit } from '../kernel/thread-plan.ts';

/** `dataDir`: measures its file system. */
export async function describeProcess(registry: Registry, dataDir: string): Promise<void> {
  const registers = [registry];
  const set = (name: string, help: string, value: number | null): void => {
    if (value !== null) new Gauge({ name, help, registers }).set(value);
  };
  const { user, system } = process.cpuUsage();
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of all threads.',
    registers,
  }).inc((user + system) / 1e6);
  set('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss());
  set(
    'geoopslag_memory_limit_bytes',
    'What the control group allows, else all of the machine.',
    memoryLimit(),
  );
  set('process_uptime_seconds', 'Time since start.', process.uptime());
  const startedS = Math.round(performance.timeOrigin / 1000);
  set('process_start_time_seconds', 'When it started.', startedS);
  set('process_open_fds', 'Open file descriptors.', openFiles());
  set('process_max_fds', 'How many it may open.', mostOpenFiles());
  const disk = await statfs(dataDir).catch(() => null);
  if (disk === null) return;
  set('geoopslag_disk_free_bytes', 'Free in DATA_DIR.', disk.bavail * disk.bsize);
  set('geoopslag_disk_size_bytes', 'Size of its file system.', disk.blocks * disk.bsize);
}

function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

function mostOpenFiles(): number | null {
  try {
    const [, most = ''] =
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === '' ? null : Number(most);
  } catch {
    return null;
  }
}

/**
 * The running service's URL in its data directory, for local programs that know neither PORT nor
 * PUBLIC_URL.
 */
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'service-address.json';

/** A wildcard address cannot be opened; on this machine it is localhost. */
const EVERYWHERE = ['0.0.0.0', '::'];

interface Announced {
  readonly url: string;
  readonly pid: number;
}

/** Without a trailing slash. `port`: the actual one. */
export function serviceAddress(
  { publicUrl, host }: { readonly publicUrl: string | null; readonly host: string },
  port: number,
): string {
  if (publicUrl !== null) return publicUrl;
  return urlOf(EVERYWHERE.includes(host) ? 'localhost' : host, port);
}

/** null: PORT is 0 and no service runs. */
export function reachedAddress(config: {
  readonly publicUrl: string | null;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
}): string | null {
  const announced = config.publicUrl ?? announcedAddress(config.dataDir);
  if (announced !== null || config.port === 0) return announced;
  return serviceAddress(config, config.port);
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Call once it listens. The returned function withdraws the announcement and never throws. */
export async function announceAddress(dataDir: string, url: string): Promise<() => Promise<void>> {
  const announced: Announced = { url, pid: process.pid };
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, NAME), JSON.stringify(announced));
  return async () => {
    // Another process of the directory may have announced itself.
    if (read(dataDir)?.pid === process.pid) await rm(join(dataDir, NAME), { force: true });
  };
}

/** null: no service seems to run on this directory. */
export function announcedAddress(dataDir: string): string | null {
  const announced = read(dataDir);
  return announced !== null && isRunning(announced.pid) ? announced.url : null;
}

function read(dataDir: string): Announced | null {
  try {
    const { url, pid } = JSON.parse(
      readFileSync(join(dataDir, NAME), 'utf8'),
    ) as Partial<Announced>;
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It exists and belongs to another user.
    return (error as { code?: string }).code === 'EPERM';
  }
}

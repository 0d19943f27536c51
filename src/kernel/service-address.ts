/**
 * Where a running service is reached, told to the programs beside it (`npm run admin -- link`) by a
 * file in its data directory: they know neither its PORT nor its PUBLIC_URL.
 */
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = 'service-address.json';

/** Everywhere is no address to open: on this machine it is localhost. */
const EVERYWHERE = ['0.0.0.0', '::'];

interface Announced {
  readonly url: string;
  readonly pid: number;
}

/** The address a person opens, without a slash at its end; `port` is the one that is listened at. */
export function serviceAddress(
  { publicUrl, host }: { readonly publicUrl: string | null; readonly host: string },
  port: number,
): string {
  if (publicUrl !== null) return publicUrl;
  return urlOf(EVERYWHERE.includes(host) ? 'localhost' : host, port);
}

/** How a client writes where a server listens. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Call once it is listened at; the function it gives takes the address back, and never throws. */
export async function announceAddress(dataDir: string, url: string): Promise<() => Promise<void>> {
  const announced: Announced = { url, pid: process.pid };
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, NAME), JSON.stringify(announced));
  return async () => {
    // Another process of the same directory may have announced itself meanwhile.
    if (read(dataDir)?.pid === process.pid) await rm(join(dataDir, NAME), { force: true });
  };
}

/** null: no service runs on this directory, as far as can be seen from here. */
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

/** A process that was killed took nothing back. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and somebody else's.
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Checks settings before the store opens. A failure names the variable. */
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { readPlans } from '../account/plans.ts';
import { prepareDataDirectory } from '../db/data-directory.ts';
import { LIMITS } from '../kernel/limits.ts';
import { within } from '../kernel/within.ts';

interface Address {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

interface Files {
  readonly dataDir: string;
  readonly plansFile: string | null;
  /** Folder of terrain tiles; null or absent: none. */
  readonly dhmDir?: string | null;
}

/** Creates the data directory. Throws for an unusable setting. */
export async function preflight(settings: Address & Files): Promise<void> {
  tryFiles(settings);
  await within(LIMITS.preflightMs, tryToListen(settings), () => {
    throw new Error(`HOST: ${settings.host} was not found within ${LIMITS.preflightMs / 1000} s.`);
  });
}

/** For a program that does not listen. Throws as `preflight`. */
export function tryFiles({ dataDir, plansFile, dhmDir = null }: Files): void {
  tryReadable({ plansFile, dhmDir });
  prepareDataDirectory(dataDir);
}

/** Read-only. Throws as `preflight`. */
export function tryReadable({ plansFile, dhmDir = null }: Omit<Files, 'dataDir'>): void {
  readPlans(plansFile);
  if (dhmDir !== null) tryFolder(dhmDir);
}

function tryFolder(dhmDir: string): void {
  try {
    readdirSync(dhmDir);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`DHM_DIR: ${dhmDir} is no folder that can be read (${code}).`, { cause });
  }
}

async function tryToListen(address: Address): Promise<void> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  server.once('error', (error) => reject(listenError(error, address)));
  server.listen(address, () => server.close(() => resolve(undefined)));
  await promise;
}

const OF_THE_PORT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'takes rights that this program does not have',
};

/** Names the variable; returns other errors unchanged. */
export function listenError(error: unknown, { host, port }: Address, setting = 'PORT'): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  const why = OF_THE_PORT[code];
  if (why !== undefined) {
    return new Error(`${setting}: ${port} ${why} at ${host}: name another, or 0 for a free one.`, {
      cause: error,
    });
  }
  return new Error(`HOST: ${host} is no address of this machine (${code}).`, { cause: error });
}

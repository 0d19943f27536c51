/** DNS only: no hosts file, search list or system cache. */
import { Resolver } from 'node:dns/promises';
import { WEBHOOK_LIMITS } from './limits.ts';

/** Empty: no address. Rejects when DNS does not answer. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** "No such record". */
const NOTHING = ['ENODATA', 'ENOTFOUND'];

/** `servers`: `address:port`; absent: the system's. */
export function createResolver(servers?: readonly string[]): Resolve {
  const { tries, timeoutMs } = WEBHOOK_LIMITS.dns;
  const resolver = new Resolver({ tries, timeout: timeoutMs });
  if (servers !== undefined) resolver.setServers([...servers]);
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const failed = [v4, v6].find((each) => each.status === 'rejected' && !isNothing(each.reason));
    // The result of one record type stands even if the other question failed.
    if (found.length === 0 && failed?.status === 'rejected') throw failed.reason;
    return found;
  };
}

function isNothing(error: unknown): boolean {
  return NOTHING.includes((error as NodeJS.ErrnoException).code ?? '');
}

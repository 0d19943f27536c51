/** Names to addresses by the DNS alone: no file of hosts, no search list, no cache of the system. */
import { Resolver } from 'node:dns/promises';
import { WEBHOOK_LIMITS } from './limits.ts';

/** All addresses of a name; none: it has none. Rejects when nobody told. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** What an answer says when there is nothing of that kind. */
const NOTHING = ['ENODATA', 'ENOTFOUND'];

/** `servers`: whom to ask, `address:port`; absent: those of the system. */
export function createResolver(servers?: readonly string[]): Resolve {
  const { tries, timeoutMs } = WEBHOOK_LIMITS.dns;
  const resolver = new Resolver({ tries, timeout: timeoutMs });
  if (servers !== undefined) resolver.setServers([...servers]);
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    const failed = [v4, v6].find((each) => each.status === 'rejected' && !isNothing(each.reason));
    // What one kind of question found stands, though the other went unanswered; nothing does not.
    if (found.length === 0 && failed?.status === 'rejected') throw failed.reason;
    return found;
  };
}

function isNothing(error: unknown): boolean {
  return NOTHING.includes((error as NodeJS.ErrnoException).code ?? '');
}

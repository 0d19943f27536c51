/** Resolves a name once, checks every address, and connects to one of those (D81). */
import { isIP } from 'node:net';
import { cacheByCount } from '../kernel/cache.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import { isGlobalUnicast } from './addresses.ts';
import type { Resolve } from './resolver.ts';
import { parseWebhookUrl } from './webhook-url.ts';
import type { UrlRefusal, WebhookUrl } from './webhook-url.ts';

export interface Target extends WebhookUrl {
  readonly address: string;
}

export type Judged =
  | { readonly kind: 'allowed'; readonly target: Target }
  | { readonly kind: 'refused'; readonly why: UrlRefusal }
  /** The name could not be resolved. */
  | { readonly kind: 'unknown' };

export interface GuardOptions {
  readonly resolve: Resolve;
  /** Other addresses allowed in trials, tests and benchmarks. */
  readonly permits?: (address: string) => boolean;
}

export type AddressGuard = ReturnType<typeof createAddressGuard>;

export function createAddressGuard({ resolve, permits = () => false }: GuardOptions) {
  const { names, keptMs, addresses: most } = WEBHOOK_LIMITS.dns;
  const checked = cacheByCount<readonly string[]>(names, keptMs);
  const addressesOf = async (host: string): Promise<readonly string[]> => {
    if (isIP(host) !== 0) return [host];
    const known = checked.get(host);
    if (known !== undefined) return known;
    const found = await resolve(host);
    if (found.length > 0) checked.set(host, found);
    return found;
  };
  return {
    /** Never throws. DNS may take long: the caller limits it. */
    judge: async (text: string): Promise<Judged> => {
      const parsed = parseWebhookUrl(text);
      if (!parsed.ok) return { kind: 'refused', why: parsed.why };
      const { target } = parsed;
      let found: readonly string[];
      try {
        found = await addressesOf(target.host);
      } catch {
        return { kind: 'unknown' };
      }
      const [address] = found;
      if (address === undefined) return { kind: 'refused', why: NO_ADDRESS };
      // A mix of public and other addresses is deliberate: refuse all.
      const isPublic = found.every((each) => isGlobalUnicast(each) || permits(each));
      if (!isPublic || found.length > most) return { kind: 'refused', why: NOT_PUBLIC };
      return { kind: 'allowed', target: { ...target, address } };
    },
  };
}

const NO_ADDRESS: UrlRefusal = {
  en: 'url names a host that has no address.',
  da: 'url navngiver en vært uden adresse.',
};

const NOT_PUBLIC: UrlRefusal = {
  en: 'url must lead to public addresses only.',
  da: 'url må kun føre til offentlige adresser.',
};

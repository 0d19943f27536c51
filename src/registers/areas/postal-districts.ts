/**
 * A read is cached briefly, and during an outage. Past the hard limit, or without a copy, none is
 * known.
 */
import type { Clock } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { within } from '../../kernel/within.ts';
import { POSTAL } from '../../layers/keys.ts';
import type { Freshness } from '../../layers/source.ts';
import type { PostalDistrict, PostalDistrictsRead } from './districts.ts';
import type { Provenance, Watcher } from '../../answers/answer.ts';
import { standingOf } from '../../core/standing/standing.ts';

export interface KnownDistricts {
  readonly generation: number;
  readonly provenance: Provenance;
  readonly byCode: ReadonlyMap<string, PostalDistrict>;
}

export interface PostalDistricts {
  /** Never throws. */
  current(): Promise<KnownDistricts | null>;
}

export interface PostalDistrictsDeps {
  readonly clock: Clock;
  readonly freshness: Freshness;
  readonly read: () => Promise<PostalDistrictsRead>;
  readonly onExpired?: () => void;
  readonly watcher?: Pick<Watcher, 'answered'>;
}

export function createPostalDistricts(deps: PostalDistrictsDeps): PostalDistricts {
  const { clock, freshness, onExpired, watcher } = deps;
  const latest = keptRead(deps.read);
  return {
    current: async () => {
      const read = await latest();
      const moment = { nowMs: clock.nowMs(), by: 'store' } as const;
      const { last: provenance, wantsSync } = standingOf(read?.copy ?? null, freshness, moment);
      if (wantsSync) onExpired?.();
      watcher?.answered(POSTAL, provenance?.rung ?? 'unavailable');
      if (read === null || provenance === null) return null;
      return { generation: read.generation, provenance, byCode: read.districts };
    },
  };
}

function keptRead(read: PostalDistrictsDeps['read']): () => Promise<PostalDistrictsRead | null> {
  let kept: PostalDistrictsRead | null = null;
  let keptUntilMs = 0;
  let reading: Promise<void> | null = null;
  const renew = async (): Promise<void> => {
    try {
      kept = await read();
    } catch {
      // The store is unavailable: the cached read keeps answering and ages.
    }
    keptUntilMs = performance.now() + LIMITS.postalDistrictsKeptMs;
    reading = null;
  };
  return async () => {
    if (performance.now() < keptUntilMs) return kept;
    reading ??= renew();
    await within(LIMITS.postalDistrictsWaitMs, reading, () => undefined);
    return kept;
  };
}

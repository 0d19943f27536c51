/** D142. Municipalities are read from memory, else the store; until then they are no land. */
import { Failure } from '../../kernel/failures.ts';
import type { Clock } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { rowError } from '../rows/row-errors.ts';
import { remember } from '../../kernel/remember.ts';
import { Land, edgesOf } from '../../geo/land.ts';
import { RingSink, readWkb } from '../../geo/wkb.ts';
import { mirroredOf } from '../../layers/catalogue.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { COVERAGE_LIMITS } from '../../layers/coverage.ts';
import type { Coverage, MunicipalityCoverage } from '../../layers/coverage.ts';
import { MIRROR_IDS } from '../../layers/mirror-ids.ts';
import type { MirrorId } from '../../layers/keys.ts';
import type { LayerSnapshot } from '../../snapshot/layer.ts';
import type { SnapshotSet } from '../held/snapshot-set.ts';

export interface CoveredLandsDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly liveCoverages: readonly Coverage[];
  readonly memory?: () => SnapshotSet | null;
  /** 2D WKB, EPSG:25832; throws when the store does not answer. */
  readonly readMunicipalities: (codes: readonly string[]) => Promise<readonly Uint8Array[]>;
}

/** In the order asked; null: the country. */
export type Lands = readonly (Land | null)[];

export class CoveredLands {
  readonly #deps: CoveredLandsDeps;
  readonly #fixed = new Map<Coverage, Land>();
  readonly #ofMemory = new WeakMap<LayerSnapshot, Map<Coverage, Land>>();
  #ofStore = new Map<Coverage, Land>();
  #readAtMs = -Infinity;
  #reading: Promise<void> | null = null;
  readonly #lists: readonly MunicipalityCoverage[];
  readonly #coverageOf: ReadonlyMap<MirrorId, Coverage | null>;
  readonly #isPartial: boolean;
  readonly #last = new WeakMap<readonly MirrorId[], Lands>();

  constructor(deps: CoveredLandsDeps) {
    this.#deps = deps;
    const { catalogue } = deps;
    this.#coverageOf = new Map(
      MIRROR_IDS.map((id) => [id, mirroredOf(catalogue, id).coverage ?? null]),
    );
    const all = [...this.#coverageOf.values()];
    this.#isPartial = all.some((each) => each !== null);
    this.#lists = [...new Set([...all, ...deps.liveCoverages])].filter(
      (each) => each?.kind === 'municipalities',
    );
  }

  /** null: the country. */
  of(id: MirrorId): Land | null {
    return this.landOf(this.#coverageOf.get(id) ?? null);
  }

  /** The same array while unchanged; null: all cover the country. */
  all(ids: readonly MirrorId[]): Lands | null {
    if (!this.#isPartial) return null;
    const now = ids.map((id) => this.of(id));
    if (now.every((land) => land === null)) return null;
    const last = this.#last.get(ids);
    if (last !== undefined && last.every((land, n) => land === now[n])) return last;
    this.#last.set(ids, now);
    return now;
  }

  landOf(coverage: Coverage | null): Land | null {
    if (coverage === null) return null;
    if (coverage.kind === 'municipalities') return this.#ofMunicipalities(coverage);
    const { name, borders } = coverage;
    return remember(this.#fixed, coverage, () => new Land(name, edgesOf(borders)));
  }

  /** Await this before `of`; null, as usual: nothing to wait for. */
  refresh(): Promise<void> | null {
    if (this.#lists.length === 0 || this.#snapshot() !== undefined) return null;
    if (this.#deps.clock.nowMs() - this.#readAtMs < COVERAGE_LIMITS.againMs) return null;
    this.#reading ??= this.#readStore().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  #snapshot(): LayerSnapshot | undefined {
    return this.#deps.memory?.()?.layers.get('kommune')?.snapshot;
  }

  #ofMunicipalities(coverage: MunicipalityCoverage): Land {
    const set = this.#deps.memory?.() ?? null;
    const snapshot = this.#snapshot();
    if (set === null || snapshot === undefined)
      return this.#ofStore.get(coverage) ?? this.#none(coverage);
    const held = remember(this.#ofMemory, snapshot, () => new Map<Coverage, Land>());
    return remember(held, coverage, () => {
      const { areas } = set.areasByCode('kommune', coverage.codes) ?? { areas: [] };
      const polygons = areas.map((area) => area.wkb());
      return landOfAreas(coverage.name, polygons);
    });
  }

  #none(coverage: MunicipalityCoverage): Land {
    const none = new Land(coverage.name, edgesOf([]));
    this.#ofStore.set(coverage, none);
    return none;
  }

  async #readStore(): Promise<void> {
    try {
      const lands = new Map<Coverage, Land>();
      for (const list of this.#lists) {
        lands.set(list, landOfAreas(list.name, await this.#deps.readMunicipalities(list.codes)));
      }
      this.#ofStore = lands;
      this.#readAtMs = this.#deps.clock.nowMs();
    } catch {
      // The next question retries.
    }
  }
}

/** `areas`: polygons as 2D WKB, EPSG:25832; shared borders are dropped. */
function landOfAreas(name: string, areas: readonly Uint8Array[]): Land {
  const rings = new RingSink();
  for (const wkb of areas) readWkb(wkb, rings);
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  return new Land(
    name,
    edgesOf(
      Array.from(starts, (from, ring) =>
        xy.subarray(2 * from, 2 * (starts[ring + 1] ?? xy.length)),
      ),
    ),
  );
}

/**
 * 404. A source of part of the country says so: the object may exist elsewhere. `coverage` null or
 * absent: the country.
 */
export function unknownTo(
  coverage: Pick<Coverage, 'name'> | null | undefined,
  { error, errorDa }: { readonly error: string; readonly errorDa: string },
): Failure {
  if (coverage === null || coverage === undefined) {
    return new Failure('not_found', { error, errorDa });
  }
  const { name } = coverage;
  return new Failure('not_found', {
    code: 'outside_coverage',
    error: rowError('ofAPart', { what: error, name }).error,
    errorDa: rowError('ofAPart', { what: errorDa, name }).errorDa,
  });
}

/** 503: a retry does not help. */
export function outsideCoverage(name: string): Failure {
  return new Failure('upstream_unavailable', {
    ...rowError('outsideLand', { name }),
    code: 'outside_coverage',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

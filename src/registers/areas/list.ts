import type { Provenance } from '../../answers/answer.ts';
import type { Point, PointUtm32 } from '../../geo/point.ts';
import { isUnansweredAt, unansweredOf } from '../../geo/unanswered.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import type { AreaId, District } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { outsideCoverage } from '../../core/land/covered-lands.ts';
import type { CoveredLands } from '../../core/land/covered-lands.ts';
import { answeringCopy, readCopy } from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';
import type { AreaWithBox, DistrictsAt, SnapshotSet } from '../../core/held/snapshot-set.ts';

export interface AreasListed {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  readonly areas: readonly AreaWithBox[];
}

/** When its row was last published differently, counted from the first copy (D196). */
export interface AreaChange {
  readonly changedAt: Date;
  readonly geometryChangedAt: Date;
  readonly geometryVersion: number;
}

export interface ListAnswer<T> {
  readonly generation: number;
  readonly provenance: readonly Provenance[];
  readonly value: T;
}

/** All throw (503). */
export interface AreaList {
  all(area: AreaId): Promise<ListAnswer<readonly AreaWithBox[]>>;
  districtsAt(district: District, point: Point): Promise<ListAnswer<DistrictsAt['areas']>>;
  /** By `key`, as far as the store knows; null: it does not answer. Never throws. */
  changes(area: AreaId, keys: readonly string[]): Promise<ReadonlyMap<string, AreaChange> | null>;
  /** EPSG:25832; null: the area is gone. */
  shapes(area: AreaId, codes: readonly string[]): Promise<readonly (Uint8Array | null)[]>;
}

export interface AreaListDeps extends CopyDeps {
  readonly catalogue: Pick<Catalogue, 'areas'>;
  readonly memory: () => SnapshotSet | null;
  readonly readStore: (area: AreaId) => Promise<AreasListed>;
  readonly readShape: (area: AreaId, code: string) => Promise<Uint8Array | null>;
  readonly readDistricts: (district: District, point: PointUtm32) => Promise<DistrictsAt>;
  readonly readChanges: (
    area: AreaId,
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, AreaChange>>;
  readonly lands?: CoveredLands;
}

type Read = Pick<AreasListed, 'generation' | 'copy'>;

export function createAreaList(deps: AreaListDeps): AreaList {
  const answer = async <R extends Read>(
    area: AreaId,
    held: R | null,
    read: () => Promise<R>,
  ): Promise<R & { readonly provenance: Provenance }> => {
    const layer = deps.catalogue.areas[area];
    if (held === null) return await readCopy(deps, layer, read);
    return { ...held, provenance: answeringCopy(deps, layer, { copy: held.copy, by: 'snapshot' }) };
  };
  return {
    all: async (theme) => {
      const held = deps.memory()?.areasListed(theme) ?? null;
      const found = await answer(theme, held, () => deps.readStore(theme));
      if ((found.copy?.unanswered?.objects?.length ?? 0) > 0) throw unread(theme);
      const { generation, provenance, areas: value } = found;
      return { generation, provenance: [provenance], value };
    },
    changes: (area, keys) => deps.readChanges(area, keys).catch(() => null),
    shapes: async (area, codes) => {
      const held = deps.memory()?.areasByCode(area, codes) ?? null;
      return await Promise.all(
        codes.map(async (code) => {
          if (held === null) return await deps.readShape(area, code);
          return held.areas.find((each) => each.code === code)?.wkb() ?? null;
        }),
      );
    },
    districtsAt: async (district, point) => {
      const pending = deps.lands?.refresh() ?? null;
      if (pending !== null) await pending;
      const land = deps.lands?.of(district) ?? null;
      if (land !== null && !land.covers(point.utm32)) throw outsideCoverage(land.name);
      const held = deps.memory()?.districtsAt(district, point.utm32) ?? null;
      const found = await answer(district, held, () => deps.readDistricts(district, point.utm32));
      const places = unansweredOf(found.copy?.unanswered);
      if (isUnansweredAt(places, point.utm32)) throw unread(district);
      const { generation, provenance, areas: value } = found;
      return { generation, provenance: [provenance], value };
    },
  };
}

/** D143. */
function unread(theme: AreaId): Failure {
  return new Failure('upstream_unavailable', {
    error: `An area of the DAGI theme ${theme} could not be read from the register.`,
    errorDa: `Et område i DAGI-temaet ${theme} kunne ikke læses fra registret.`,
    retryAfterS: LIMITS.retryAfterS.unreadable,
  });
}

import type { Provenance } from '../../answers/answer.ts';
import { Last } from '../../kernel/last.ts';
import type { Theme } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Freshness } from '../../layers/source.ts';
import { standingOf } from '../../core/standing/standing.ts';
import type { SnapshotSet } from '../../core/held/snapshot-set.ts';
import type { AreasFound } from './store.ts';
import type { AreaAttributes } from '../../layers/feature.ts';

/** The name is the current one (D87). */
export interface NamedArea {
  readonly kode: string;
  readonly navn: string | null;
}

export interface PlacedMunicipality {
  readonly kommune: NamedArea | null;
  readonly region: NamedArea | null;
}

export interface MunicipalitiesRead {
  readonly generation: number;
  readonly copy: PublishedCopy;
  readonly by: 'snapshot' | 'store';
  readonly byCode: ReadonlyMap<string, PlacedMunicipality>;
}

/** null: DAGI was never mirrored. Throws when the store does not answer. */
export type ReadMunicipalities = (codes: readonly string[]) => Promise<MunicipalitiesRead | null>;

type ReadStore = (theme: Theme, codes: readonly string[]) => Promise<AreasFound>;

export interface HeldMunicipalities {
  readonly generation: number | null;
  readonly read: ReadMunicipalities;
  readonly all?: () => MunicipalitiesRead | null;
}

/**
 * From memory, else from the store. Take the set before reading the named rows, so its generation
 * is never later than theirs.
 */
export function municipalitiesOf(
  set: SnapshotSet | null,
  readStore: ReadStore,
): HeldMunicipalities {
  const read: ReadMunicipalities = async (codes) => {
    return (set && allOf(set)) ?? (await readStored(readStore, codes));
  };
  return { generation: set?.generation ?? null, read, all: () => set && allOf(set) };
}

// Consecutive sets share their snapshots.
const lastPlaced = new Last<MunicipalitiesRead['byCode']>();

function allOf(set: SnapshotSet): MunicipalitiesRead | null {
  const held = set.areasByCode('kommune', []);
  if (held === null) return null;
  const themes = (['kommune', 'region'] as const).map((theme) => set.layers.get(theme)?.snapshot);
  const byCode = lastPlaced.of(themes, () => {
    const codes = [...(set.namesOf('kommune')?.keys() ?? [])];
    const { areas } = set.areasByCode('kommune', codes) ?? held;
    return placed(areas, set.namesOf('region') ?? new Map());
  });
  return { generation: set.generation, copy: held.copy, by: 'snapshot', byCode };
}

async function readStored(
  readStore: ReadStore,
  codes: readonly string[],
  triesLeft = 1,
): Promise<MunicipalitiesRead | null> {
  const { generation, state, areas } = await readStore('kommune', codes);
  if (state === null) return null;
  const regions = await readStore('region', [...new Set(areas.flatMap(regionOf))]);
  const isBetween = regions.generation !== generation;
  if (isBetween && triesLeft > 0) return await readStored(readStore, codes, triesLeft - 1);
  const names = new Map(regions.areas.map(({ code, name }) => [code, name]));
  return { generation, copy: state, by: 'store', byCode: placed(areas, names) };
}

export interface NamedMunicipalities {
  readonly generation: number;
  readonly byCode: MunicipalitiesRead['byCode'];
  readonly provenance: Provenance;
}

/** null where they cannot be read or are past their hard limit. */
export async function nameMunicipalities(
  read: ReadMunicipalities,
  codes: readonly string[],
  { freshness, nowMs }: { readonly freshness: Freshness; readonly nowMs: number },
): Promise<NamedMunicipalities | null> {
  if (codes.length === 0) return null;
  const found = await read(codes).catch(() => null);
  return found && namesOf(found, { freshness, nowMs });
}

/** null: past its hard limit. */
export function namesOf(
  { copy, by, generation, byCode }: MunicipalitiesRead,
  { freshness, nowMs }: { readonly freshness: Freshness; readonly nowMs: number },
): NamedMunicipalities | null {
  const { last: provenance } = standingOf(copy, freshness, { nowMs, by });
  return provenance && { generation, byCode, provenance };
}

export function municipalityOf(
  named: NamedMunicipalities | null,
  kode: string,
): PlacedMunicipality {
  return named?.byCode.get(kode) ?? { kommune: { kode, navn: null }, region: null };
}

function regionOf({ regionCode }: AreaAttributes): string[] {
  return regionCode === null ? [] : [regionCode];
}

function placed(
  municipalities: readonly AreaAttributes[],
  regions: ReadonlyMap<string, string>,
): ReadonlyMap<string, PlacedMunicipality> {
  return new Map(
    municipalities.map(({ code, name, regionCode }) => [
      code,
      {
        kommune: { kode: code, navn: name },
        region:
          regionCode === null ? null : { kode: regionCode, navn: regions.get(regionCode) ?? null },
      },
    ]),
  );
}

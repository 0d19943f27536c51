/** Municipalities with their regions under the names of today: from memory, else from the store. */
import type { Provenance } from '../answers/answer.ts';
import type { PlacedMunicipality } from '../answers/property/record.ts';
import type { Theme } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import type { Freshness } from '../layers/source.ts';
import { copyAnswer } from '../memory/ladder.ts';
import type { SnapshotSet } from '../memory/snapshot-set.ts';
import type { AreasFound } from '../registers/dagi/store.ts';

export interface MunicipalitiesRead {
  readonly copy: PublishedCopy;
  readonly by: 'snapshot' | 'store';
  readonly byCode: ReadonlyMap<string, PlacedMunicipality>;
}

interface Municipality {
  readonly code: string;
  readonly name: string;
  readonly regionCode: string | null;
}

/** null: DAGI was never mirrored. Throws when the store is asked and does not answer. */
export async function readMunicipalities(
  {
    memory,
    readStore,
  }: {
    readonly memory: () => SnapshotSet | null;
    readonly readStore: (theme: Theme, codes: readonly string[]) => Promise<AreasFound>;
  },
  codes: readonly string[],
): Promise<MunicipalitiesRead | null> {
  const set = memory();
  const held = set?.areasByCode('kommune', codes) ?? null;
  if (set !== null && held !== null) {
    const byCode = placed(held.areas, set.namesOf('region') ?? new Map());
    return { copy: held.copy, by: 'snapshot', byCode };
  }
  const { state, areas } = await readStore('kommune', codes);
  if (state === null) return null;
  const regions = await readStore('region', [...new Set(areas.flatMap(regionOf))]);
  const names = new Map(regions.areas.map(({ code, name }) => [code, name]));
  return { copy: state, by: 'store', byCode: placed(areas, names) };
}

/** Names with what they came from. */
export interface NamedMunicipalities {
  readonly byCode: MunicipalitiesRead['byCode'];
  readonly provenance: Provenance;
}

/**
 * The names for an answer that is none about municipalities, best effort: null where they cannot be read
 * or their copy is past its hard limit.
 */
export async function nameMunicipalities(
  read: (codes: readonly string[]) => Promise<MunicipalitiesRead | null>,
  codes: readonly string[],
  { freshness, nowMs }: { readonly freshness: Freshness; readonly nowMs: number },
): Promise<NamedMunicipalities | null> {
  if (codes.length === 0) return null;
  const found = await read(codes).catch(() => null);
  if (found === null) return null;
  const provenance = copyAnswer(found.copy, freshness, { nowMs, by: found.by });
  return provenance && { byCode: found.byCode, provenance };
}

/** A municipality of which nothing but the code may be known. */
export function municipalityOf(
  named: NamedMunicipalities | null,
  kode: string,
): PlacedMunicipality {
  return named?.byCode.get(kode) ?? { kommune: { kode, navn: null }, region: null };
}

function regionOf({ regionCode }: Municipality): string[] {
  return regionCode === null ? [] : [regionCode];
}

function placed(
  municipalities: readonly Municipality[],
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

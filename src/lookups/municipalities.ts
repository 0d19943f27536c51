/** Municipalities with their regions under the names of today: from memory, else from the store. */
import type { PlacedMunicipality } from '../answers/property/record.ts';
import type { Theme } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
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

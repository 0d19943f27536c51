import type { Store } from '../../db/connect.ts';
import { readOnly } from '../../db/read-only.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CADASTRE } from '../../layers/keys.ts';
import { isSameVersion } from '../../layers/published-copy.ts';
import { readPublished } from '../../core/published.ts';
import { excerpts, recordAudit } from '../../core/record-audit.ts';
import type { Compared, RecordAudit } from '../../core/record-audit.ts';
import type { Random } from '../../snapshot/probes.ts';
import type { ParcelIndex } from './index/parcel-index.ts';
import type { ParcelLoader, ParcelsInMemory } from './load.ts';
import { covers, inOrder, parcelOf } from './parcels.ts';
import type { Parcel } from './parcels.ts';
import { readParcelsAmong } from './tiles.ts';

interface ParcelDifference extends ReturnType<typeof excerpts> {
  readonly asked: PointUtm32 | NumberAsked | null;
}

type ParcelComparison = Compared<ParcelDifference>;

interface NumberAsked {
  readonly code: number;
  readonly number: string;
}

interface Probes {
  /** Corners: the neighbours of a parcel must be there too. */
  readonly points: readonly PointUtm32[];
  readonly numbers: readonly NumberAsked[];
}

export function auditOfParcels(
  memory: Pick<ParcelLoader, 'current' | 'suspend'>,
  store: Pick<Store, 'db'>,
): RecordAudit {
  return recordAudit(CADASTRE, memory, (held, random) => compareParcels(held, store, random));
}

/** null: memory and store have different versions. */
async function compareParcels(
  { index, copy }: Pick<ParcelsInMemory, 'index' | 'copy'>,
  store: Pick<Store, 'db'>,
  random: Random,
): Promise<ParcelComparison | null> {
  if (index.count === 0) return null;
  const probes = inMemory(() => probesOf(index, random));
  if (probes instanceof Error) return damagedBy(probes);
  const stored = await readOnly(store, async (trx) => {
    const { versions } = await readPublished({ db: trx }, [CADASTRE]);
    if (!isSameVersion(versions[0], copy)) return null;
    return await readParcelsAmong({ db: trx }, probes);
  });
  if (stored === null) return null;
  const parcels = inOrder(stored.parcels.map(parcelOf));
  const compared = inMemory(() => compare(index, probes, parcels));
  return compared instanceof Error ? damagedBy(compared) : compared;
}

function probesOf(index: ParcelIndex, random: Random): Probes {
  const some = Array.from({ length: LIMITS.auditPoints }, () =>
    index.parcelAt(Math.floor(random() * index.count)),
  );
  return {
    points: some.flatMap(({ rings }) => (rings === null ? [] : cornerOf(rings.xy.view(), random))),
    numbers: some.flatMap(({ districtCode: code, number }) =>
      code === null || number === null ? [] : { code, number },
    ),
  };
}

function cornerOf(xy: Float64Array, random: Random): PointUtm32 {
  const at = 2 * Math.floor((random() * xy.length) / 2);
  const { 0: xUtm32 = Number.NaN, 1: yUtm32 = Number.NaN } = xy.subarray(at, at + 2);
  return { xUtm32, yUtm32 };
}

function compare(
  index: ParcelIndex,
  { points, numbers }: Probes,
  stored: readonly Parcel[],
): ParcelComparison {
  const differences = [
    ...points.flatMap((point) => difference(point, index.at(point), stored.filter(covers(point)))),
    ...numbers.flatMap((asked) => {
      const isAsked = ({ districtCode, number }: Parcel) =>
        districtCode === asked.code && number === asked.number;
      const held = index.withNumber(asked.code, asked.number).filter(isAsked);
      return difference(asked, held, stored.filter(isAsked));
    }),
  ];
  return { compared: points.length + numbers.length, differences };
}

function difference(
  asked: ParcelDifference['asked'],
  held: readonly Parcel[],
  stored: readonly Parcel[],
): readonly ParcelDifference[] {
  const [ours, theirs] = [textOf(held), textOf(stored)];
  return ours === theirs ? [] : [{ asked, ...excerpts(ours, theirs) }];
}

function textOf(parcels: readonly Parcel[]): string {
  return JSON.stringify(
    parcels.map(({ number, districtCode, districtName, bfe, area, municipalityCode, rings }) => [
      ...[number, districtCode, districtName, bfe, area, municipalityCode],
      rings && [rings.xy, rings.starts, rings.kinds].map((list) => Array.from(list.view())),
    ]),
  );
}

/** Damaged memory may throw anything. */
function inMemory<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function damagedBy(error: Error): ParcelComparison {
  const damaged = { asked: null, memory: String(error), store: '' };
  return { compared: 1, differences: [damaged] };
}

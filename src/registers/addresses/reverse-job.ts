import type { Point } from '../../geo/point.ts';
import { toWgs84 } from '../../geo/project.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Nearest } from './addresses.ts';
import { writeNearest } from './answer.ts';
import { constant } from '../../answers/json-writer.ts';
import { csvText, csvTextOrNone } from '../../core/rows/csv-cells.ts';
import { withTail } from '../../answers/register-meta.ts';
import type { RegisterMeta } from '../../answers/register-meta.ts';
import type { AddressLookups } from './lookup.ts';
import { addressMeta } from './meta.ts';
import {
  POINT_COLUMNS,
  numbers,
  writePointCsv,
  writePointHead,
  POINT_ROWS,
} from '../../core/rows/points.ts';
import { POINT_ROLES } from '../../core/rows/job-types.ts';
import type { JobKind, RowKind } from '../../core/rows/kind.ts';
import type { JobMemory } from '../../core/rows/chunk-types.ts';
import type { Failure } from '../../kernel/failures.ts';
import { openLands } from '../../core/tasks/lands.ts';
import { finderOf } from './index/kept-finder.ts';
import { nearestWithin } from './reverse.ts';

export const reverse: JobKind<Point, Nearest, AddressLookups, RegisterMeta> = {
  name: 'reverse',
  terms: {
    roles: POINT_ROLES,
    called: { da: 'nærmeste adresse', en: 'nearest address' },
    words: { da: 'Nærmeste adresse', en: 'Nearest address' },
  },
  needs: { layers: [], addresses: 'needed' },
  labels: addressMeta,
  rows: reverseRows,
  memory: { module: import.meta.url, open },
};

function reverseRows(meta: RegisterMeta): RowKind<Point, Nearest, AddressLookups> {
  const radiusM = LIMITS.addressRadiusM.default;
  const tail = constant(`,"radius":${radiusM}${withTail(meta).tail}`);
  return {
    columns: [
      ...POINT_COLUMNS,
      'betegnelse',
      'adgangsadresse_id',
      'bfe_nummer',
      'vejnavn',
      'husnr',
      'postnr',
      'postnrnavn',
      'kommunekode',
      'koordinat_lon',
      'koordinat_lat',
      'afstand_m',
    ],
    types: numbers(...POINT_COLUMNS, 'bfe_nummer', 'koordinat_lon', 'koordinat_lat', 'afstand_m'),
    ...POINT_ROWS,
    askAll: async ({ addresses }, points) => await addresses.reverse.at(points, radiusM),
    writeCsv: (out, { address, distanceM }, point) => {
      const { id, road, houseNumber, postcode, designation, position, bfe } = address;
      writePointCsv(out, point);
      out.text(
        `,${csvText(designation)},${id},${bfe ?? ''},${csvText(road.name)}` +
          `,${csvText(houseNumber)},${csvTextOrNone(postcode?.code ?? null)}` +
          `,${csvTextOrNone(postcode?.name ?? null)},${csvText(road.municipalityCode)},`,
      );
      if (position === null) {
        out.ascii(',,');
      } else {
        const { lon, lat } = toWgs84(position);
        out.degrees(lon).ascii(',').degrees(lat).ascii(',');
      }
      out.rounded(distanceM, 1);
    },
    writeJson: (out, nearest, point) => {
      writePointHead(out, point);
      writeNearest(out, nearest);
      out.bytes(tail);
    },
  };
}

function open(memory: JobMemory): (question: Point) => Nearest | Failure {
  const { addressIndex } = finderOf(memory);
  const { default: radiusM } = LIMITS.addressRadiusM;
  const [land = null] = openLands([memory.addressLand]);
  const judge = nearestWithin(land, radiusM);
  return ({ utm32 }) => judge(utm32, addressIndex.nearest(utm32, radiusM));
}

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
  writePointPlace,
} from '../../core/rows/points.ts';
import type { JobKind, RowKind } from '../../core/rows/kind.ts';

export const reverse: JobKind<Point, Nearest, AddressLookups, RegisterMeta> = {
  name: 'reverse',
  area: 'adresser',
  needs: { layers: [], addresses: 'needed' },
  labels: addressMeta,
  rows: reverseRows,
  memory: new URL('./reverse-job-memory.ts', import.meta.url),
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
    hasPlace: true,
    question: (row, findAccess) => row.point(findAccess),
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
    writePlace: (out, _answer, point) => writePointPlace(out, point),
  };
}

import type { Point } from '../../geo/point.ts';
import { toWgs84 } from '../../geo/project.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Nearest } from '../../registers/addresses/addresses.ts';
import { writeNearest } from '../../registers/addresses/answer.ts';
import { constant } from '../../answers/json-writer.ts';
import { csvText, csvTextOrNone } from '../files/cells.ts';
import { lookupsOfAddresses } from './addresses.ts';
import {
  POINT_COLUMNS,
  numbers,
  writePointCsv,
  writePointHead,
  writePointPlace,
} from './points.ts';
import type { JobKind, KindLabels, RowKind } from './kind.ts';

export const reverse: JobKind<Point, Nearest> = {
  area: 'adresser',
  needs: { layers: [], addresses: 'needed' },
  rows: reverseRows,
};

function reverseRows({ addressMeta }: KindLabels): RowKind<Point, Nearest> {
  const radiusM = LIMITS.addressRadiusM.default;
  const tail = constant(`,"radius":${radiusM},"meta":${addressMeta}}`);
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
    ask: (engines, point) => engines.nearest(point),
    askAll: async (lookups, points) =>
      await lookupsOfAddresses(lookups).reverse.at(points, radiusM),
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

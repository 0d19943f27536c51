/** The real extract of 2015 as rows of an index, for tests alone. */
import type { AccessRow, Road, UnitRow } from '../../src/registers/addresses/addresses.ts';
import { normalHouseNumber } from '../../src/layers/address-text.ts';
import { osakLines } from './address-extract.ts';

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

function distinct<T extends { readonly id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort(byId);
}

export function readOsak() {
  const postcodes = osakLines('Postnummer.CSV')
    .map(({ nr = '', navn = '' }) => ({ code: nr.padStart(4, '0'), name: navn }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
  const roads = osakLines('Vejnavn.CSV').map((line, i): Road => {
    const { kommunekode = '', kode = '', navn = '', adresseringsnavn = '' } = line;
    return {
      roadId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      municipalityCode: kommunekode.padStart(4, '0'),
      roadCode: kode.padStart(4, '0'),
      name: navn,
      shortName: adresseringsnavn === '' || adresseringsnavn === navn ? null : adresseringsnavn,
    };
  });
  const places = new Map(roads.map((road, i) => [`${road.municipalityCode} ${road.roadCode}`, i]));
  const accesses = distinct(
    osakLines('Adgangsadresse.CSV.gz').flatMap((line) => {
      const { id = '', vejkode = '', kommunekode = '', husnummer = '', postnummer = '' } = line;
      const road = places.get(`${kommunekode.padStart(4, '0')} ${vejkode.padStart(4, '0')}`);
      const postcode = postcodes.findIndex(({ code }) => code === postnummer.padStart(4, '0'));
      if (road === undefined || postcode < 0) return [];
      const position = {
        xUtm32: Number(line['adgangspunkt_etrs89koordinat_oest']),
        yUtm32: Number(line['adgangspunkt_etrs89koordinat_nord']),
      };
      const row: AccessRow = {
        id,
        status: 3,
        road,
        houseNumber: normalHouseNumber(husnummer) ?? husnummer,
        supplementaryTown: line['supplerendebynavn'] || null,
        postcode,
        designation: null,
        position: position.xUtm32 > 0 ? position : null,
        bfe: null,
      };
      return [row];
    }),
  );
  const accessPlaces = new Map(accesses.map(({ id }, i) => [id, i]));
  const units = distinct(
    osakLines('Enhedsadresse.CSV.gz').flatMap(({ id = '', adgangsadresseid = '', etage, doer }) => {
      const access = accessPlaces.get(adgangsadresseid);
      if (access === undefined) return [];
      const row: UnitRow = {
        id,
        status: 3,
        access,
        floor: etage || null,
        door: doer || null,
        designation: null,
        bfe: null,
      };
      return [row];
    }),
  );
  return { postcodes, roads, accesses, units, formerNames: [] };
}

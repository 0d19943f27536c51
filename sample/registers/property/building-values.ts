import type { Door } from '../cadastre/rows.ts';
import type { Random } from '../../data/random.ts';
import type { TableRow } from '../../data/table-row.ts';

export function tank(random: Random): TableRow {
  return {
    tek007Anlægsnummer: '1',
    tek020Klassifikation: '1110',
    tek024Etableringsår: random.pick(['0', '1975', '1988']),
    tek026StørrelsesklasseOlietank: '1',
    tek027Placering: random.pick(['0', '1', '2']),
    tek028SløjfningOlietank: random.pick(['1', null]),
    tek030Fabrikationsnummer: random.chance(0.3) ? '74262-01' : null,
    tek032Størrelse: random.pick(['2500', '1200', '0']),
    tek034IndholdOlietank: '10',
    tek036Rumfang: '0',
    tek037Areal: '0',
    tek038Højde: '0',
    tek067Fabrikationsår: '0',
    tek068Materiale: random.pick(['1', null]),
    tek072Sløjfningsår: random.pick(['0', '2016']),
    tek075Rotordiameter: '0',
    tek109Koordinat: 'GEOMETRYCOLLECTION EMPTY',
    tek110Driftstatus: random.pick(['1', '2', '2', null]),
    bygning: null,
  };
}

export function turbine(): TableRow {
  return {
    tek007Anlægsnummer: '1',
    tek020Klassifikation: '1220',
    tek024Etableringsår: '2009',
    tek036Rumfang: '0',
    tek038Højde: '24',
    tek075Rotordiameter: '12.5',
  };
}

/** Some metres behind the door; empty without a position. */
export function pointOf({ place }: Door, metres: number): string {
  if (place === null) return 'GEOMETRYCOLLECTION EMPTY';
  return `POINT (${(place.x + metres).toFixed(2)} ${(place.y + 5 + metres).toFixed(2)})`;
}

/** `1`, which most write as `01`. */
export function floorText(designation: string): string {
  return /^\d$/.test(designation) ? `0${designation}` : designation;
}

/** What is asked on and around rows of the registers: every row's own questions, and those of the rows it leads to. */
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { SAMPLE_ENTITIES } from '../../sample/data/tables.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { Random } from '../../sample/data/random.ts';
import type { TableShelf } from '../../sample/files/table-shelf.ts';

/** What rows are told apart by and led to by. */
const IS_ID = /^(\d{7,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** An id that more rows have leads nowhere: a road's, a municipality's. */
const MOST_LED_TO = 40;
/** Rows that are asked of around one that is broken, and beside all of them. */
const AROUND = 24;
const BESIDE = 12;

export interface RowPanel {
  /** Paths to ask, those of the rows themselves first. */
  around(rows: readonly TableRow[], draw: Random): readonly string[];
}

export function rowPanel(shelf: Pick<TableShelf, 'rows'>): RowPanel {
  const all = SAMPLE_ENTITIES.flatMap((entity) => shelf.rows(entity));
  const byId = new Map<string, TableRow[]>();
  for (const row of all) {
    for (const id of idsOf(row)) byId.set(id, [...(byId.get(id) ?? []), row]);
  }
  const led = (from: TableRow): readonly TableRow[] => {
    const reached = new Set([from]);
    for (const row of reached) {
      if (reached.size >= AROUND) break;
      const ids = idsOf(row).map((id) => byId.get(id) ?? []);
      for (const next of ids.filter(({ length }) => length <= MOST_LED_TO).flat())
        reached.add(next);
    }
    return [...reached].slice(0, AROUND);
  };
  return {
    around: (rows, draw) => {
      const beside = Array.from({ length: BESIDE }, () => draw.pick(all));
      const asked = [...rows.flatMap(led), ...beside].flatMap(questionsOf);
      return [...new Set(asked)];
    },
  };
}

const idsOf = (row: TableRow): readonly string[] =>
  [
    ...new Set(Object.values(row).filter((value) => value !== null && IS_ID.test(value))),
  ] as readonly string[];

const ASIDE_M = [0, 7, 60] as const;

const BY_ADDRESS = (id: string) => [`/v1/adresser/${id}`];
const BY_NAME = (name: string) => [`/v1/adresser?q=${name}`, `/v1/datavask?adresse=${name}`];

/** By the column that holds the value; the row, for those that say more than one thing. */
const QUESTIONS: Readonly<
  Record<string, (text: string, row: TableRow, value: string) => readonly string[]>
> = {
  id_lokalId: (text, row) => {
    if ('geometri' in row && 'objectid' in row) return [`/v1/stednavne/${text}`];
    return isAddress(row) ? BY_ADDRESS(text) : [];
  },
  husnummer: BY_ADDRESS,
  husnummerLokalId: BY_ADDRESS,
  adresseLokalId: BY_ADDRESS,
  adresseIdentificerer: BY_ADDRESS,
  vejnavn: BY_NAME,
  adressebetegnelse: BY_NAME,
  adgangsadressebetegnelse: BY_NAME,
  skrivemaade: (text) => [`/v1/stednavne?q=${text}`],
  CVRNummer: (text) => [`/v1/cvr/${text}`],
  position: (_text, _row, wkt) => ASIDE_M.map((m) => `/v1/adresser/reverse?${pointIn(wkt, m)}`),
  geometri: (_text, row, wkt) =>
    'objectid' in row ? [`/v1/stednavne/reverse?${pointIn(wkt, 0)}&radius=300`] : [],
};

function questionsOf(row: TableRow): readonly string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    if (value === null) return [];
    const text = encodeURIComponent(value);
    if (/bfe(nummer|nr)$/i.test(name)) {
      return ['bbr/ejendom', 'matrikel/ejendom', 'vurdering'].map((area) => `/v1/${area}/${text}`);
    }
    return QUESTIONS[name]?.(text, row, value) ?? [];
  });
}

const isAddress = (row: TableRow) =>
  'adressebetegnelse' in row || 'adgangsadressebetegnelse' in row;

function pointIn(wkt: string, eastM: number): string {
  const [x = 0, y = 0] = wkt.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
  const { lon, lat } = pointFromUtm32({ xUtm32: x + eastM, yUtm32: y }).wgs84;
  return `lon=${lon.toFixed(7)}&lat=${lat.toFixed(7)}`;
}

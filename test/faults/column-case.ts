/**
 * A job over rows whose addresses are spread over columns under many headings: certain (A) is only the address
 * that a row was written from, whatever columns the job reads (D154).
 */
import type { FastifyInstance } from 'fastify';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import type { JobRunner } from '../../src/jobs/runner.ts';
import { addOwner, linesOf, until } from '../jobs/job-bench.ts';
import type { JobBench, Owner } from '../jobs/job-bench.ts';
import type { Ended, Finding } from './cases.ts';

const PARTS = ['vej', 'nummer', 'bogstav', 'etage', 'doer', 'postnr', 'by'] as const;
type Part = (typeof PARTS)[number];

/** Headings of a part's own column; absent: it stays with the part before it. */
const HEADINGS: Readonly<Partial<Record<Part, readonly string[]>>> = {
  bogstav: [
    ...['Bogstav', 'Litra', 'Husbogstav', 'Hus bogstav', 'Nr. bogstav', 'Letter', 'Husnr. bogstav'],
    ...['BOGSTAV', 'husnr_bogstav', 'Opgang', 'Tillæg', 'Suffix'],
  ],
  etage: ['etage', 'Sal', 'Floor', 'Etg.', 'Etagebetegnelse', 'Trin', 'Level', 'Plan', 'Kolonne 5'],
  doer: ['dør', 'Side', 'Door', 'Dørbetegnelse', 'Lejlighed', 'Bolig', 'Enhed', 'Apt', 'x'],
  postnr: ['postnr', 'Postnummer', 'Postnr.', 'Post nr', 'Zip', 'Zip code', 'Postcode', 'PLZ'],
  by: ['by', 'Bynavn', 'City', 'Town', 'Postdistrikt', 'Postnrnavn', 'Ort', 'Byområde'],
};

/** What else stands in a file of rows. */
const OTHERS = ['', 'Kunde', 'Unnamed: 0', 'Bemærkning', 'nr', 'adresse'] as const;

type Written = Readonly<Record<Part, string>> & { readonly id: string };

export interface ColumnWorld {
  readonly bench: JobBench;
  readonly owner: Owner;
  readonly edge: FastifyInstance;
  readonly runner: JobRunner;
  readonly addresses: readonly Written[];
  /** Those that are another address without their letter. */
  readonly lettered: readonly Written[];
}

/** Over a bench whose addresses are mirrored. */
export async function openColumnWorld(bench: JobBench): Promise<ColumnWorld> {
  const { rows } = await bench.store.pool.query<Written & { readonly house: string }>(`
    select coalesce(u.id, a.id)::text as id, r.name as vej, a.house_number as house,
      coalesce(u.floor, '') as etage, coalesce(u.door, '') as doer, p.code as postnr, p.name as by
    from address_access a
    join address_road r on r.id = a.road_id
    join address_postcode p on p.id = a.postcode_id
    left join address_unit u on u.access_id = a.id and u.status = 3
    where a.status = 3 order by 1`);
  const addresses = rows.map(({ house, ...row }) => {
    const [, nummer = house, bogstav = ''] = /^0*(\d+)(\D*)$/.exec(house) ?? [];
    return { ...row, nummer, bogstav };
  });
  const houses = new Set(addresses.map(houseOf));
  const lettered = addresses.filter(
    (row) => row.bogstav !== '' && houses.has(houseOf({ ...row, bogstav: '' })),
  );
  if (lettered.length === 0) lettered.push(...addresses);
  const owner = await addOwner(bench.store);
  const runner = bench.runner();
  runner.start();
  return { bench, owner, edge: await bench.keyed(owner), runner, addresses, lettered };
}

const houseOf = ({ vej, nummer, bogstav, postnr }: Written) =>
  `${vej} ${nummer}${bogstav} ${postnr}`;

export interface ColumnCase {
  readonly number: number;
  readonly seed: number;
}

interface Column {
  readonly heading: string;
  /** The caller names it as the address. */
  readonly isWhole?: true;
  readonly cell: (row: Written, n: number) => string;
}

/** The address in one column as far as no part has a column of its own; others before, between and after. */
function drawColumns(draw: Random): readonly Column[] {
  const own = PARTS.flatMap((part) => {
    const headings = HEADINGS[part];
    return headings !== undefined && draw.chance(0.5) ? [[part, draw.pick(headings)] as const] : [];
  });
  const apart = new Set<Part>(own.map(([part]) => part));
  const whole: Column = {
    heading: draw.pick(['adresse', 'Adresse', 'Vej og nr', 'Address', 'Gade']),
    isWhole: true,
    cell: (row) => textOf(row, apart),
  };
  const columns: Column[] = [
    whole,
    ...own.map(([part, heading]) => ({ heading, cell: pick(part) })),
  ];
  const other = { heading: draw.pick(OTHERS), cell: (_: Written, n: number) => String(n) };
  if (draw.chance(0.3)) columns.splice(draw.integer(0, columns.length), 0, other);
  return draw.chance(0.3) ? columns.toReversed() : columns;
}

const pick = (part: Part) => (row: Written) => row[part];

function textOf(row: Written, apart: ReadonlySet<Part>): string {
  const here = (part: Part) => (apart.has(part) ? '' : row[part]);
  const unit = [here('etage') && `${here('etage')}.`, here('doer')].filter(Boolean).join(' ');
  const town = [here('postnr'), here('by')].filter(Boolean).join(' ');
  return [`${row.vej} ${row.nummer}${here('bogstav')}`, unit, town].filter(Boolean).join(', ');
}

const ROWS = 25;

export async function runColumnCase(world: ColumnWorld, given: ColumnCase): Promise<Ended> {
  const draw = createRandom(`columns ${given.seed}/${given.number}`);
  const columns = drawColumns(draw);
  const rows = Array.from({ length: ROWS }, () =>
    draw.pick(draw.chance(0.4) ? world.lettered : world.addresses),
  );
  const id = await started(world, columns, rows);
  if (id === null) return { outcome: 'refused', findings: [] };
  const { status } = await until(world.bench.store, id);
  const { results } = await linesOf(world.bench.store, id);
  const headings = columns.map(({ heading }) => heading).join(';');
  const findings = results.flatMap(({ raekke, svar }): Finding[] => {
    const { kategori, resultater } = svar as Answer;
    const row = rows[raekke - 1];
    if (kategori !== 'A' || row === undefined) return [];
    const found = resultater[0]?.aktueladresse;
    if (found?.id === row.id) return [];
    const cells = columns.map(({ cell }) => cell(row, raekke)).join(';');
    return [{ kind: 'false', detail: `${headings} | ${cells}: A for ${found?.betegnelse}` }];
  });
  return { outcome: status, findings };
}

interface Answer {
  readonly kategori: string | null;
  readonly resultater: readonly {
    readonly aktueladresse: { readonly id: string; readonly betegnelse: string };
  }[];
}

/** The job with its rows; null: refused. */
async function started(
  { edge, owner }: ColumnWorld,
  columns: readonly Column[],
  rows: readonly Written[],
): Promise<string | null> {
  const headers = { authorization: `Bearer ${owner.accountId}` };
  const post = (url: string, type: string, payload: string) =>
    edge.inject({ method: 'POST', url, headers: { ...headers, 'content-type': type }, payload });
  const adresse = columns.find(({ isWhole }) => isWhole)?.heading;
  const job = { kind: 'datavask', start: false, columns: { adresse } };
  const made = await post('/v1/jobs', 'application/json', JSON.stringify(job));
  const { id } = made.json<{ job: { id: string } }>().job;
  const lines = [
    columns.map(({ heading }) => heading),
    ...rows.map((row, n) => columns.map(({ cell }) => cell(row, n + 1))),
  ].map((cells) => cells.map((text) => `"${text}"`).join(';'));
  const sent = await post(`/v1/jobs/${id}/rows`, 'text/csv', lines.join('\n'));
  const begun =
    sent.statusCode < 300 ? await post(`/v1/jobs/${id}/start`, 'application/json', '{}') : sent;
  return begun.statusCode < 300 ? id : null;
}

export function describeColumnCase({ number, seed }: ColumnCase): string {
  return `column case ${number} of seed ${seed}`;
}

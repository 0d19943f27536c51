/**
 * BBR and the cadastre of the generated country over HTTP, in a process of its own: totals and a day's deltas,
 * zipped to disk once, so that serving is reading and no making.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { changedIn, PROPERTY_TABLES, propertyCount } from '../national/properties.ts';
import type { RegisterRow, RegisterTable } from '../national/properties.ts';
import { answerFiles, GENERATIONS, HEAD, sumOf, writeTable } from './table-files.ts';
import type { TableFile, TableText } from './table-files.ts';

/** BBR and the cadastre, as large as the scale says; with a day's deltas after the totals, or not yet. */
export interface UpstreamContent {
  readonly dir: string;
  readonly scale: number;
  readonly hasDeltas: boolean;
}

export interface Served {
  readonly url: string;
  readonly rows: number;
  /** Uncompressed. */
  readonly bytes: number;
  /** Properties that a day changes. */
  readonly changed: number;
  /** One table once more, not zipped, for the database to read by itself. */
  readonly plain: {
    readonly path: string;
    readonly rows: number;
    readonly columns: number;
  };
}

/** Lies open beside its zip file. */
const PLAIN = 'Bygning';
const REGISTERED = '2017-06-02T12:29:37.000000Z';
const SINCE = '2000-02-05T04:57:34.000000Z';

/** The listing and the files of the download service. */
class PropertyFiles {
  readonly facts: Omit<Served, 'url'>;
  readonly #dir: string;
  readonly #totals: readonly TableFile[];
  readonly #deltas: readonly TableFile[];
  #listed: readonly TableFile[] = [];

  static async write(wanted: UpstreamContent): Promise<PropertyFiles> {
    const { dir, scale } = wanted;
    const count = propertyCount(scale);
    const totals: TableFile[] = [];
    const deltas: TableFile[] = [];
    const changedAt = new Date(Date.now() - 24 * 3_600_000).toISOString();
    for (const table of PROPERTY_TABLES) {
      const plain = table.entity === PLAIN ? plainIn(dir) : null;
      totals.push(await writeTable(dir, totalOf(table, count), plain));
      deltas.push(await writeTable(dir, deltaOf(table, count, changedAt)));
    }
    return new PropertyFiles(wanted, totals, deltas);
  }

  constructor(wanted: UpstreamContent, totals: readonly TableFile[], deltas: readonly TableFile[]) {
    this.#dir = wanted.dir;
    this.#totals = totals;
    this.#deltas = deltas;
    this.list(wanted);
    const plain = PROPERTY_TABLES.find(({ entity }) => entity === PLAIN);
    const count = propertyCount(wanted.scale);
    const changed = (['BBR', 'MAT'] as const).map((each) => [...changedIn(each, count)].length);
    this.facts = {
      rows: sumOf(totals, ({ rows }) => rows),
      bytes: sumOf(totals, ({ plainBytes }) => plainBytes),
      changed: changed.reduce((all, each) => all + each, 0),
      plain: {
        path: plainIn(this.#dir),
        rows: totals.find(({ entity }) => entity === PLAIN)?.rows ?? 0,
        columns: HEAD.length + (plain?.columns.length ?? 0),
      },
    };
  }

  /** From now on with the deltas, or without. */
  list({ hasDeltas }: UpstreamContent): void {
    this.#listed = hasDeltas ? [...this.#totals, ...this.#deltas] : this.#totals;
  }

  answer(url: URL, response: ServerResponse): void {
    answerFiles({ dir: this.#dir, files: this.#listed }, url, response);
  }
}

function plainIn(dir: string): string {
  return join(dir, 'buildings.csv');
}

/** When a row was registered and from when it is true, and until when it was registered. */
interface Times {
  readonly registered: string;
  readonly until: string;
  readonly since: string;
}

type Timed = readonly [row: RegisterRow, times: Times];

function totalOf(table: RegisterTable, count: number): TableText {
  const rows = function* (): Generator<Timed> {
    const times = { registered: REGISTERED, until: '', since: SINCE };
    for (let n = 0; n < count; n += 1) {
      for (const row of table.rowsOf(n, 0)) yield [row, times];
    }
  };
  return { ...textOf(table, rows()), download: 'TotalDownload', generation: GENERATIONS.total };
}

/** What a day closes, and what it opens in its place. */
function deltaOf(table: RegisterTable, count: number, at: string): TableText {
  const rows = function* (): Generator<Timed> {
    for (const n of changedIn(table.register, count)) {
      for (const row of table.rowsOf(n, 1)) yield [row, { registered: at, until: '', since: at }];
      const closed = { registered: REGISTERED, until: at, since: SINCE };
      for (const row of table.rowsOf(n, 0)) yield [row, closed];
    }
  };
  return { ...textOf(table, rows()), download: 'DeltaDownload', generation: GENERATIONS.delta };
}

function textOf(
  { register, entity, format, columns }: RegisterTable,
  rows: Iterable<Timed>,
): Pick<TableText, 'register' | 'entity' | 'format' | 'head' | 'rows' | 'foot'> {
  const named = { register, entity, format };
  const names = [...HEAD, ...columns];
  const cells = Iterator.from(rows).map(cellsOf);
  if (format === 'csv') {
    const lines = cells.map((row) => row.join(','));
    return { ...named, head: names.join(','), rows: lines, foot: null };
  }
  const objects = cells.map((row, i) => `${i > 0 ? ',' : ''}${objectOf(names, row)}`);
  return { ...named, head: '[', rows: objects, foot: ']' };
}

function cellsOf([{ id, status, cells }, { registered, until, since }]: Timed) {
  return [id, status, registered, until, since, '', ...cells];
}

function objectOf(names: readonly string[], cells: readonly (string | number)[]): string {
  const members = names.map((name, i) => [name, cells[i] === '' ? null : cells[i]] as const);
  return JSON.stringify(Object.fromEntries(members));
}

let content: PropertyFiles | null = null;
let origin: string | null = null;

/** Serves this content from now on. */
export async function serveUpstream(wanted: UpstreamContent): Promise<Served> {
  // Minutes of writing at national size: the deltas are there and only not listed yet.
  if (content !== null) content.list(wanted);
  else content = await PropertyFiles.write(wanted);
  origin ??= await listen();
  return { url: origin, ...content.facts };
}

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    content?.answer(new URL(request.url ?? '/', 'http://localhost'), response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

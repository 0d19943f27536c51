/**
 * A register nobody has, added as a register is added: tables as data, and a migration. Its files come
 * from a server of its own that lists them as the Datafordeler does.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RegisterId } from '../../src/layers/keys.ts';
import type { RegisterSchema, TableColumn } from '../../src/layers/register-tables.ts';
import { standingColumn } from '../../src/layers/standing-columns.ts';
import type { MirroredTable, TableRegister } from '../../src/layers/register.ts';
import { zipOf } from '../../sample/files/zip.ts';

const STATUS: TableColumn = {
  ...{ name: 'status', kind: 'status', from: ['status'], required: true },
  standing: standingColumn('DAR', 'status'),
};

export const TOYS = 'legetoej' as unknown as RegisterId;

export const TOY_MIGRATION = `
create table toy (
  id uuid primary key,
  status smallint not null,
  name text not null,
  maker text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index toy_maker on toy (maker);
create table toy_owner (
  toy_id uuid not null,
  owner_no bigint not null,
  status smallint not null,
  share text,
  registered_from timestamptz not null,
  valid_from timestamptz not null,
  primary key (toy_id, owner_no)
);
create table toy_owner_former (
  like toy_owner, valid_to timestamptz not null, primary key (toy_id, owner_no, valid_from)
);
create table toy_former (
  kind text not null,
  id uuid not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  name text,
  primary key (kind, id, valid_from)
);
create table toy_source (like address_source including all);
create table toy_history (
  layer text not null default 'legetoej' check (layer = 'legetoej'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);`;

const SCHEMA: RegisterSchema = {
  tables: [
    {
      entity: 'Legetoej',
      register: 'LEG',
      table: 'toy',
      key: ['id'],
      indexes: [{ suffix: '_maker', on: '(maker)' }],
      former: { kind: 'toy', columns: ['name'] },
      columns: [
        { name: 'id', kind: 'uuid', from: ['idlokalid'], required: true },
        STATUS,
        { name: 'name', kind: 'text', from: ['navn'], required: true },
        { name: 'maker', kind: 'text', from: ['producent'], expected: true },
      ],
    },
    {
      entity: 'Ejer',
      register: 'LEG',
      table: 'toy_owner',
      key: ['toy_id', 'owner_no'],
      indexes: [],
      former: { table: 'toy_owner_former' },
      columns: [
        { name: 'toy_id', kind: 'uuid', from: ['legetoej'], required: true },
        { name: 'owner_no', kind: 'bigint', from: ['nummer'], required: true },
        STATUS,
        { name: 'share', kind: 'text', from: ['andel'] },
      ],
    },
  ],
  references: {
    of: [{ from: 'toy_owner', column: 'toy_id', to: 'toy', key: 'id' }],
    inForce: [3],
    guardedBy: 'Ejer',
    message: 'Too many owners of toys that are not there.',
  },
  counted: ['toy'],
  beside: { sources: 'toy_source', history: 'toy_history', former: 'toy_former' },
};

export function toyRegister(url: string): TableRegister {
  const table = (entity: string, format: 'csv' | 'json'): MirroredTable => ({
    source: {
      kind: 'files',
      host: 'datafordeler-files',
      listUrl: `${url}/list`,
      fetchUrl: `${url}/get`,
      register: 'LEG',
      entity,
      format,
      // One table of all that ever was, one of what is true now.
      ...(entity === 'Legetoej' && { contents: 'Bitemporal' }),
      versions: ['1'],
      minBytes: 10,
      listTimeoutMs: 5_000,
      fetchTimeoutMs: 5_000,
      tries: 1,
      apiKeyParameter: null,
    },
    guards: {
      minRows: 5,
      maxDropShare: 0.1,
      maxGrowthShare: 1,
      maxChangeShare: 0.5,
      changeFloorRows: 2,
      maxIssueShare: 0,
      maxDanglingShare: 0.1,
    },
  });
  return {
    id: TOYS,
    register: 'addresses',
    name: 'Legetøj',
    called: ['the toys', 'legetøjet'],
    freshness: { limitS: 3_600, hardLimitS: 86_400 },
    schema: SCHEMA,
    tables: { Legetoej: table('Legetoej', 'csv'), Ejer: table('Ejer', 'json') },
  };
}

export type ToyRow = Readonly<Record<string, string | number | null>>;

interface ToyFile {
  readonly entity: string;
  readonly name: string;
  readonly bytes: Buffer;
}

/** Lists and serves what was put there, newest generations included. */
export interface ToyServer {
  readonly url: string;
  /** A whole table, or what changed in it, under the next generation. */
  put(entity: 'Legetoej' | 'Ejer', download: 'Total' | 'Delta', rows: readonly ToyRow[]): void;
  close(): Promise<void>;
}

export async function startToyServer(): Promise<ToyServer> {
  const files: ToyFile[] = [];
  const generations = { Legetoej: 0, Ejer: 0 };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/get') {
      response.end(files.find(({ name }) => name === url.searchParams.get('Filename'))?.bytes);
      return;
    }
    const listed = files.filter(({ entity }) => entity === url.searchParams.get('Entity'));
    const entries = listed.map(({ entity, name, bytes }) => ({
      fileName: name,
      entityName: entity,
      md5Hash: createHash('md5').update(bytes).digest('hex'),
      fileSizeInBytes: bytes.length,
    }));
    response.end(JSON.stringify({ availableFileDownloads: entries }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (entity, download, rows) => {
      generations[entity] += 1;
      const [format, contents] = entity === 'Ejer' ? ['json', 'Current'] : ['csv', 'Bitemporal'];
      const text = format === 'json' ? JSON.stringify(rows) : csvOf(rows);
      // The same rows as others have them: never to be taken for the table.
      for (const kind of new Set([contents, 'Temporal'])) {
        const stem = `LEG_V1_${entity}_${download}Download_${format}_${kind}_${generations[entity]}`;
        const bytes = zipOf([{ name: `${stem}.${format}`, bytes: Buffer.from(text) }]);
        files.push({ entity, name: `${stem}.zip`, bytes });
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function csvOf(rows: readonly ToyRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => columns.map((name) => row[name] ?? '').join(';'));
  return [columns.join(';'), ...lines, ''].join('\n');
}

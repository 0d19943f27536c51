/** A small register as its folder holds it: one table of bridges, one question, in the sample as well. */
const inFolder = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`src/registers/bridges/${name}`, text.slice(1)]),
  );

const KEPT = {
  'README.md': `
# Bridges (\`broer\`)

Answers from one table, \`bridge\`, by the number of a bridge. 404 unknown, 503 until mirrored or too old.
`,
  'tables.ts': `
/** What is mirrored of bridges. */
import type { RegisterSchema } from '../../layers/register-tables.ts';

export const BRIDGE_SCHEMA: RegisterSchema = {
  tables: [
    {
      entity: 'Bro',
      register: 'BRO',
      table: 'bridge',
      key: ['id'],
      former: null,
      indexes: [],
      columns: [
        { name: 'id', kind: 'bigint', from: ['id'], required: true },
        { name: 'name', kind: 'text', from: ['navn'], expected: true },
      ],
    },
  ],
  references: null,
  counted: ['bridge'],
  owner: 'id',
  beside: { sources: 'bridge_source', history: 'bridge_history', former: null },
};
`,
  'mirror.ts': `
/** Where the files of bridges are, how fresh they must be and what guards them. */
import { LIMITS } from '../../kernel/limits.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { BRIDGES } from '../../layers/keys.ts';
import type { TableRegister } from '../../layers/register.ts';
import { BRIDGE_SCHEMA } from './tables.ts';

export const BRIDGES_MIRROR: TableRegister = {
  id: BRIDGES,
  register: 'bridges',
  name: 'BRO',
  called: ['the bridges', 'broerne'],
  freshness: { limitS: 8 * 24 * 3600, hardLimitS: LIMITS.hardAgeS },
  tables: datafordelerTables(BRIDGE_SCHEMA, { minRows: { Bro: 1_000 } }),
  schema: BRIDGE_SCHEMA,
};
`,
  'store.ts': `
/** One bridge from the store, with how its copy stands. */
import type { Store } from '../../db/connect.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface BridgeRead {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  /** Bridges whose rows could not be read, as text; null: of a row that may be any bridge's. */
  readonly unread: readonly (string | null)[];
  readonly found: { readonly id: number; readonly name: string | null } | null;
}

interface Row {
  readonly copy: PublishedCopy | null;
  readonly generation: number;
  readonly id: number | null;
  readonly name: string | null;
}

const STATEMENT =
  'select s.generation, ' + COPY + ', b.id, b.name from store_state s ' +
  "left join layer_state l on l.layer = 'broer' left join bridge b on b.id = $1::bigint";

/** Throws when the store does not answer. */
export async function readBridge(
  store: Pick<Store, 'pool'>,
  id: number,
): Promise<BridgeRead> {
  const { rows } = await store.pool.query<Row>({ name: 'bridge', text: STATEMENT, values: [id] });
  const [row] = rows;
  if (row === undefined) throw new Error('The store has no generation.');
  return {
    generation: row.generation,
    copy: row.copy,
    unread: row.copy?.unanswered?.objects ?? [],
    found: row.id === null ? null : { id: row.id, name: row.name },
  };
}
`,
};

const ANSWERED = {
  'lookup.ts': `
/** A bridge by its number. */
import { Failure } from '../../kernel/failures.ts';
import { BRIDGES } from '../../layers/keys.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { answeringCopy } from '../../core/standing/standing.ts';
import type { RegisterParts } from '../../core/register.ts';
import { readBridge } from './store.ts';

export type Bridges = ReturnType<typeof createBridges>;

export function createBridges({ catalogue, store, ...deps }: RegisterParts) {
  const register = catalogue.registers[BRIDGES];
  return {
    /** Throws not_found, upstream_error where a row cannot be read, upstream_unavailable without a copy. */
    find: async (id: number) => {
      const { generation, copy, unread, found } = await readBridge(store, id);
      const provenance = answeringCopy(deps, register, { copy, by: 'store' });
      if (unread.includes(String(id)) || (found === null && unread.includes(null))) {
        throw new Failure('upstream_error');
      }
      if (found === null) {
        throw unknownTo(register.coverage, { error: 'No such bridge.', errorDa: 'Ukendt bro.' });
      }
      return { ...found, generation, provenance: [provenance] };
    },
  };
}
`,
  'questions.ts': `
/** A bridge by its number. */
import { Type } from 'typebox';
import { question } from '../../core/question/question.ts';
import { closed, nullable, ref } from '../../core/question/schemas.ts';
import type { Bridges } from './lookup.ts';

export const BridgeSchema = closed(
  { id: Type.Integer(), navn: nullable(Type.String()) },
  { $id: 'Bro', description: 'A bridge.' },
);

export const BRIDGE_QUESTIONS = [
  question({
    key: 'bro',
    called: { da: 'Opslag af en bro', en: 'Lookup of a bridge' },
    summary: 'A bridge by its number',
    tag: 'broer',
    params: { id: Type.Integer({ minimum: 1, description: 'Its number.', examples: [1] }) },
    answer: ref('Bro'),
    failures: [400, 404, 502],
    path: '/v1/broer/:id',
    area: 'stednavne',
    ask: async (bridges: Bridges, { id }) => {
      const value = await bridges.find(id);
      return { value, facts: value, units: 1 };
    },
    json: ({ id, name }) => JSON.stringify({ id, navn: name }),
  }),
];
`,
};

const STATED = {
  'examples.json': `
{ "bro": { "request": "GET /v1/broer/1", "value": { "id": 1, "navn": "Prøvebroen" } } }
`,
  'danish.json': `
{
  "Bridges": "Broer",
  "A bridge.": "En bro.",
  "A bridge by its number": "En bro efter sit nummer",
  "Its number.": "Dens nummer."
}
`,
  'register.ts': `
/** The register of bridges. */
import type { Register } from '../../core/register.ts';
import { createBridges } from './lookup.ts';
import type { Bridges } from './lookup.ts';
import { BRIDGES_MIRROR } from './mirror.ts';
import { BRIDGE_QUESTIONS, BridgeSchema } from './questions.ts';

export const bridges: Register<Bridges> = {
  name: 'bridges',
  joins: [],
  mirrors: [BRIDGES_MIRROR],
  document: {
    tags: [{ name: 'broer', description: 'Bridges' }],
    schemas: [BridgeSchema],
    folder: import.meta.dirname,
  },
  questions: BRIDGE_QUESTIONS,
  compose: (parts) => ({ lookups: createBridges(parts) }),
};
`,
};

/** Bridges of the sample. */
export const SAMPLE_BRIDGES = `/** Bridges of the sample. */
import type { SampleRegister } from '../../sample-register.ts';

export const sample: SampleRegister = {
  minRows: { Bro: 1 },
  rows: () => ({
    Bro: [
      {
        id: '1',
        navn: 'Prøvebroen',
        status: '3',
        registreringFra: '2020-01-01T00:00:00Z',
        registreringTil: null,
        virkningFra: '2020-01-01T00:00:00Z',
        virkningTil: null,
      },
    ],
  }),
};
`;

export const BRIDGES = inFolder({ ...KEPT, ...ANSWERED, ...STATED });

/** Rows of the log are named as answers name them, in every register that is followed. */
import { expect, test } from 'vitest';
import { entitiesOf } from '../../src/changes/entity-rows.ts';
import { readExtract } from '../../src/changes/extract.ts';
import { latestChange } from '../../src/changes/log.ts';
import { conditionOf, isConditionId } from '../../src/layers/conditions/index.ts';
import { isLineKey, isRegisterId } from '../../src/layers/keys.ts';
import type { MirrorId } from '../../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { HitSchema } from '../../src/registers/lines/questions.ts';
import { FOLLOWED } from '../../src/http/v1/aendringer/registers.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { opened } from '../support/opened.ts';

const store = await opened(openMirroredStore('served'));

const schemas = new Map(
  Object.values(REGISTERS_CATALOGUE.registers).map(({ id, schema }) => [id, schema]),
);

interface Property {
  readonly properties?: Readonly<Record<string, object>>;
}

/** Of the answer of a line; an object's members after its name, as `kommune_navn`. */
const HIT_NAMES = Object.entries(
  HitSchema.properties as Readonly<Record<string, Property>>,
).flatMap(([name, { properties }]) =>
  properties === undefined ? [name] : Object.keys(properties).map((own) => `${name}_${own}`),
);
/** D22. */
const AREA_NAMES = ['kode', 'navn', 'regionskode'];
/** A day of the Danish calendar, and what the answer's object has (D209). */
const CONDITION_NAMES = ['gaeldende_fra', 'gaeldende_til', 'felter'];

function namesOf(register: MirrorId): readonly string[] {
  if (isConditionId(register)) return CONDITION_NAMES;
  return isLineKey(register) ? HIT_NAMES : AREA_NAMES;
}

interface Row {
  readonly egenskaber?: Readonly<Record<string, unknown>> & {
    readonly felter?: Readonly<Record<string, unknown>>;
  };
}

async function someRows(register: MirrorId, entity: string): Promise<readonly Row[]> {
  const source = { db: store.db, schemas, naming: 'told' } as const;
  const { transaction: atTransaction } = await latestChange(store.db);
  const rows: Row[] = [];
  for await (const { raekke } of readExtract(source, { register, entity, atTransaction })) {
    if (raekke !== null) rows.push(raekke);
    if (rows.length >= 100) break;
  }
  return rows;
}

test.each(FOLLOWED)('%s', async (register) => {
  for (const { entity, columns } of entitiesOf(register, schemas, 'told')) {
    const rows = await someRows(register, entity);
    for (const row of rows) expect(Object.keys(row)).toEqual(columns);
    if (isRegisterId(register)) {
      // The register's own, in lower case (D227).
      for (const name of columns) expect(name).toMatch(/^[a-z][a-z\d_]*$/);
      continue;
    }
    expect(rows.length).toBeGreaterThan(0);
    const attributes = new Set(rows.flatMap(({ egenskaber = {} }) => Object.keys(egenskaber)));
    expect([...attributes].filter((name) => !namesOf(register).includes(name))).toEqual([]);
    if (!isConditionId(register)) continue;
    const fields = conditionOf(register).fields.map(({ name }) => name);
    const given = new Set(rows.flatMap(({ egenskaber }) => Object.keys(egenskaber?.felter ?? {})));
    expect([...given].filter((name) => !fields.includes(name))).toEqual([]);
  }
});

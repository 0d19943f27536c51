/** Canary answers by copy and stage, kept from before the instant. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { allRows } from '../../src/db/rows.ts';
import type { Db } from '../../src/db/connect.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import type { CanaryCounts } from '../mirrors/features/feature-rows.ts';

export interface CanaryQuestion {
  readonly runId: string;
  readonly layer: Layer['id'];
  /** Key and content_hash of the published rows. */
  readonly copy: RawBuilder<unknown>;
  readonly explained: { readonly before: readonly string[]; readonly after: readonly string[] };
}

export async function rememberedCanary(
  db: Db,
  { runId, layer, copy, explained }: CanaryQuestion,
  ask: () => Promise<CanaryCounts>,
): Promise<CanaryCounts> {
  const digestOf = (rows: RawBuilder<unknown>) => sql`
    (select string_agg(key || ' ' || encode(content_hash, 'hex'), ' ' order by key collate "C")
    from (${rows}) r)`;
  const codes = [explained.before.toSorted(), explained.after.toSorted()];
  const { rows: known } = await sql<{ of: string } & Partial<CanaryCounts>>`
    select k.of, c.asked as "canaryAsked", c.changed as "canaryChanged"
    from (select md5(concat_ws(' | ', ${layer}::text, ${JSON.stringify(codes)}::text, ${digestOf(copy)},
      ${digestOf(sql`select key, content_hash from stage_feature where run_id = ${runId}::bigint`)}))
      as of) k
    left join dated_canary c on c.of = k.of`.execute(db);
  const { of = '', canaryAsked = null, canaryChanged = null } = known[0] ?? {};
  if (canaryAsked !== null && canaryChanged !== null) return { canaryAsked, canaryChanged };
  const asked = await ask();
  await sql`
    insert into dated_canary (of, asked, changed)
    values (${of}, ${asked.canaryAsked}, ${asked.canaryChanged}) on conflict do nothing`.execute(
    db,
  );
  return asked;
}

export interface Remembered {
  readonly of: string;
  readonly asked: number;
  readonly changed: number;
}

export async function readRemembered(db: Db): Promise<readonly Remembered[]> {
  return await allRows<Remembered>(db)`select of, asked, changed from dated_canary`;
}

export async function replaceRemembered(db: Db, canaries: readonly Remembered[]): Promise<void> {
  await sql`delete from dated_canary`.execute(db);
  await sql`
    insert into dated_canary (of, asked, changed)
    select * from unnest(${canaries.map(({ of }) => of)}::text[],
      ${canaries.map(({ asked }) => asked)}::integer[],
      ${canaries.map(({ changed }) => changed)}::integer[])`.execute(db);
}

/** Each act's hash covers the previous one and its own text. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { firstValue } from '../db/rows.ts';
import type { Store } from '../db/connect.ts';
import { OPS_LIMITS } from './limits.ts';

export interface ExportedAct {
  readonly id: number;
  /** Hexadecimal; empty before the first. */
  readonly previous: string;
  /** UTF-8; null: removed for an erased customer. */
  readonly text: string | null;
  readonly hash: string;
}

/** Oldest first. */
export async function* exportActs({ db }: Pick<Store, 'db'>): AsyncGenerator<ExportedAct, void> {
  const { rows: start } = await sql<{ id: number; hash: string }>`
    select id::float8 as id, encode(hash, 'hex') as hash from operator_act_start`.execute(db);
  let { id: after, hash: previous } = start[0] ?? { id: 0, hash: '' };
  for (;;) {
    const { rows } = await sql<Omit<ExportedAct, 'previous'>>`
      select a.id::float8 as id, encode(a.hash, 'hex') as hash,
        case when a.redacted_at is null then text_of_act(a) end as text
      from operator_act a where a.id > ${after} order by a.id
      limit ${OPS_LIMITS.actsPerPage.max}`.execute(db);
    for (const act of rows) {
      yield { ...act, previous };
      ({ id: after, hash: previous } = act);
    }
    if (rows.length < OPS_LIMITS.actsPerPage.max) return;
  }
}

/** `kept`: an earlier export, all of which must still be there. */
export async function faultOfTrail(
  store: Pick<Store, 'db'>,
  kept: readonly ExportedAct[] = [],
): Promise<string | null> {
  const found = new Map<number, string>();
  let expected: number | null = null;
  for await (const act of exportActs(store)) {
    expected ??= act.previous === '' ? 1 : act.id;
    if (act.id !== expected) return `Act ${expected} is gone.`;
    if (!isWhole(act)) return `Act ${act.id} was changed.`;
    found.set(act.id, act.hash);
    expected += 1;
  }
  const erased = await redactedWithoutErasure(store);
  if (erased !== null) return `Act ${erased} was emptied, and no erasure says so.`;
  return faultOfExport(kept, found);
}

/** `found`: by number, oldest first. Earlier acts have expired. */
function faultOfExport(
  kept: readonly ExportedAct[],
  found: ReadonlyMap<number, string>,
): string | null {
  const [oldest = 1] = found.keys();
  const [first] = kept;
  let previous = first?.previous ?? '';
  for (const act of kept) {
    if (act.previous !== previous || !isWhole(act)) return `Act ${act.id} of the file was changed.`;
    previous = act.hash;
    if (act.id >= oldest && found.get(act.id) !== act.hash) {
      return `Act ${act.id} of the file is ${found.has(act.id) ? 'another' : 'gone'} in the store.`;
    }
  }
  return null;
}

function isWhole({ previous, text, hash }: ExportedAct): boolean {
  if (text === null) return true;
  const sum = createHash('sha256').update(Buffer.from(previous, 'hex')).update(text, 'utf8');
  return sum.digest('hex') === hash;
}

async function redactedWithoutErasure({ db }: Pick<Store, 'db'>): Promise<number | null> {
  return await firstValue<number | null>(db, null)`
    select a.id::float8 as id from operator_act a
    where a.redacted_at is not null and not exists (
      select from operator_act e
      where e.act = 'erase' and e.account_id = a.account_id and e.id > a.id)
    order by a.id limit 1`;
}

import { sql } from 'kysely';
import { firstRow } from '../../../src/db/rows.ts';
import type { Store } from '../../../src/db/connect.ts';
import type { Contract } from '../../../src/layers/contract.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { LayerId } from '../../../src/layers/keys.ts';
import { dataLimitS } from '../../../src/layers/source.ts';

export type Way = 'wfs' | 'files';

/** The newest file ever mirrored. Older generations of its version are refused. */
export interface MirroredFile {
  readonly name: string;
  readonly version: string;
  readonly generation: number;
  /** null or absent: not in the listing. */
  readonly madeAtMs?: number | null;
  readonly md5: string;
  /** The reading settings: with others the same file is read again. */
  readonly readAs: string;
  /** When a row in it begins or ends by itself; null: never. */
  readonly nextChangeMs: number | null;
}

export interface Origin {
  readonly via: Way;
  readonly file: MirroredFile | null;
  readonly contracts: Readonly<Partial<Record<Way, Contract>>>;
}

export interface KnownOrigin extends Origin {
  /** The copy is what was read, not a reverted one. */
  readonly isCurrent: boolean;
}

/** null: never mirrored, or by a release without such records. */
export async function readOrigin(db: Store['db'], layer: LayerId): Promise<KnownOrigin | null> {
  const row = await firstRow<{ origin: (Origin & { atVersion: number }) | null; version: string }>(
    db,
  )`
    select origin, version::text from layer_state where layer = ${layer}`;
  if (row === null || row.origin === null) return null;
  const { atVersion, ...origin } = row.origin;
  return { ...origin, isCurrent: String(atVersion) === row.version };
}

/** Call in a transaction that has written the layer's state. */
export async function writeOrigin(
  trx: Store['db'],
  { id }: Pick<Layer, 'id'>,
  origin: Origin,
): Promise<void> {
  await sql`
    update layer_state
    set origin = ${JSON.stringify(origin)}::jsonb || jsonb_build_object('atVersion', version)
    where layer = ${id}`.execute(trx);
}

/** Call after the origin, in its transaction. */
export async function noteMade(
  trx: Store['db'],
  { id, freshness }: Pick<Layer, 'id' | 'freshness'>,
): Promise<void> {
  const made = sql`case when origin->>'via' = 'files' and origin->>'atVersion' = version::text
    then to_timestamp((origin->'file'->>'madeAtMs')::float8 / 1000) end`;
  await sql`
    update layer_state set made_at = ${made},
      data_late_at = ${made} + make_interval(secs => ${dataLimitS(freshness)}::float8)
    where layer = ${id}`.execute(trx);
}

/** After a reading without changes: the copy's own, unless that is unknown. */
export function confirmedOrigin(read: Origin, before: KnownOrigin | null): Origin {
  const keeps = before !== null && before.isCurrent && read.via === 'wfs';
  return keeps ? { ...read, via: before.via } : read;
}

import type { Store } from '../../db/connect.ts';
import { readOnly } from '../../db/read-only.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { BBR } from '../../layers/keys.ts';
import { isSameVersion } from '../../layers/published-copy.ts';
import { excerpts, recordAudit } from '../../core/record-audit.ts';
import type { Compared, RecordAudit } from '../../core/record-audit.ts';
import type { PropertyRows } from './property.ts';
import { sampleProperties } from './export.ts';
import { packRows } from './packed.ts';
import { recordsOf } from './store.ts';
import { SnapshotRefused } from '../../snapshot/format.ts';
import type { Random } from '../../snapshot/probes.ts';
import { isOfInstant } from '../../snapshot/property-records.ts';
import { readVersions } from './load.ts';
import type { PropertiesInService, PropertyLoader } from './load.ts';

type RecordComparison = Compared<ReturnType<typeof excerpts> & { readonly bfe: number }>;

export function auditOfProperties(
  memory: Pick<PropertyLoader, 'current' | 'suspend'>,
  store: Pick<Store, 'db'>,
): RecordAudit {
  return recordAudit(BBR, memory, (held, random, nowMs) =>
    compareProperties(held, store, { nowMs, random }),
  );
}

/**
 * Compares random numbers of the file, and neighbours known to the store, to find missing ones.
 * null: different versions, or a row has begun or ended since. Throws when the store does not
 * answer.
 */
export async function compareProperties(
  held: PropertiesInService,
  store: Pick<Store, 'db'>,
  { nowMs, random }: { readonly nowMs: number; readonly random: Random },
): Promise<RecordComparison | null> {
  const { records } = held;
  if (!isOfInstant(records.meta, nowMs)) return null;
  const bfes = Array.from(
    { length: LIMITS.auditPoints },
    () => records.numberAt(Math.floor(random() * records.count)) ?? 1,
  );
  const batch = await readOnly(store, async (trx) => {
    const published = await readVersions({ db: trx });
    if (!isSameVersion(published.versions[0], held.copy)) return null;
    return await sampleProperties(trx, { bfes, atMs: nowMs });
  });
  const theirs = batch && recordsOf(batch.found);
  if (batch === null || theirs === null) return null;
  try {
    return compare(batch.bfes, await records.read(batch.bfes), theirs);
  } catch (error) {
    if (!(error instanceof SnapshotRefused)) throw error;
    const damaged = { bfe: bfes[0] ?? 0, memory: String(error), store: null };
    return { compared: 1, differences: [damaged] };
  }
}

function compare(
  bfes: readonly number[],
  file: ReadonlyMap<number, string | null>,
  store: ReadonlyMap<number, PropertyRows>,
): RecordComparison {
  // The file has records over the size limit without their text.
  const compared = bfes.filter((bfe) => file.get(bfe) !== null);
  const differences = compared.flatMap((bfe) => {
    const rows = store.get(bfe);
    const [ours, theirs] = [file.get(bfe) ?? null, rows === undefined ? null : packRows(rows)];
    return ours === theirs ? [] : [{ bfe, ...excerpts(ours, theirs) }];
  });
  return { compared: compared.length, differences };
}

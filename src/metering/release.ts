/** Frees reserved units in the months they were reserved in. */
import type { Failure } from '../kernel/failures.ts';
import { uncountable } from './quota.ts';
import type { QuotaLease } from './quota.ts';

export function release(lease: QuotaLease, units: number): void {
  lease.held -= units;
  lease.free += units;
}

/** Oldest month first: units count in the month they were reserved in. */
export function releaseAll(
  leases: readonly QuotaLease[],
  reserved: number,
): readonly [QuotaLease, number][] {
  let left = reserved;
  const parts = leases.map((lease): [QuotaLease, number] => {
    const part = Math.min(left, lease.held);
    left -= part;
    return [lease, part];
  });
  if (left > 0) throw unheld();
  for (const [lease, part] of parts) release(lease, part);
  return parts;
}

export function unheld(): Failure {
  return uncountable(new Error('A reservation was settled that nobody holds.'));
}

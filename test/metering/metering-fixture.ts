/** Accounts and meters for tests of metering: several processes' worth over one store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { newId } from '../../src/account/ids.ts';
import { areasOf } from '../../src/account/permissions.ts';
import type { Plans, Tier } from '../../src/account/plans.ts';
import type { Principal } from '../../src/account/principal.ts';
import type { Store } from '../../src/db/connect.ts';
import type { Answered } from '../../src/metering/meter-types.ts';

/** Small numbers, so that every edge is near. */
export function plansOf(units: number, requestsPerSecond = 10_000): Plans {
  const plan = {
    unitsPerMonth: { live: units, test: units },
    requestsPerSecond,
    overage: false,
    batches: true,
  };
  return { free: plan, pro: { ...plan, overage: true }, business: plan };
}

export function principalOf(accountId: string, more: Partial<Principal> = {}): Principal {
  return {
    ...{ keyId: newId('key'), accountId, tier: 'free', environment: 'live', kind: 'secret' },
    ...{ areas: areasOf('read'), origins: [], capUnits: null },
    ...more,
  };
}

export async function addAccount(store: Pick<Store, 'db'>, tier: Tier = 'free'): Promise<string> {
  const id = newId('account');
  await sql`
    insert into account (id, name, email, tier, created_at)
    values (${id}, 'Test', ${`${id}@example.dk`}, ${tier}, now())`.execute(store.db);
  return id;
}

let requests = 0;

export function answered(units: number, more: Partial<Answered> = {}): Answered {
  return { operation: 'lines', requestId: `r${++requests}`, generation: 7, units, ...more };
}

export function newDataDir(): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-usage-'));
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

export async function tallyOf(store: Pick<Store, 'db'>, accountId: string) {
  const { rows } = await sql<Record<'used' | 'outstanding' | 'lines' | 'units' | 'days', number>>`
    select
      (select coalesce(sum(used), 0) from usage_month where account_id = ${accountId})::int as used,
      (select coalesce(sum(granted - spent), 0) from usage_grant
        where account_id = ${accountId})::int as outstanding,
      (select count(*) from usage_line where account_id = ${accountId})::int as lines,
      (select coalesce(sum(units), 0) from usage_line where account_id = ${accountId})::int as units,
      (select coalesce(sum(units), 0) from usage_day where account_id = ${accountId})::int as days
  `.execute(store.db);
  return rows[0]!;
}

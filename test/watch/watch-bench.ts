/** Lists over the mirrored sample: accounts with keys and webhooks, and a comparer that a test steps. */
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { Comparer } from '../../src/watch/comparer.ts';
import { createWatchLists } from '../../src/watch/lists.ts';
import type { SentObject } from '../../src/watch/lists.ts';
import type { WatchKind } from '../../src/watch/kinds.ts';
import type { dataOf } from '../../src/watch/payload.ts';
import { COMPARE_KEYS } from '../../src/watch/tasks.ts';
import { createWorkers } from '../../workers/pool.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { addEndpoint, logInto, webhookBench } from '../webhooks/webhook-bench.ts';

export const SCHEMAS = new Map(
  Object.values(REGISTERS_CATALOGUE.registers).map(({ id, schema }) => [id, schema]),
);

type Sent = ReturnType<typeof dataOf>;

interface ChangedRows {
  readonly entity: string;
  readonly ids: readonly (string | number)[];
  /** null: they end. */
  readonly cells: TableRow | null;
}

/** A column whose text makes a row another: times alone are no change that publishes. */
const CONTENT: Readonly<Record<string, string>> = {
  Adresse: 'adressebetegnelse',
  Jordstykke: 'registreretAreal',
  Ejendomsrelation: 'ejendomstype',
};

let days = 0;

export async function openWatchBench() {
  const bench = await openAddressBench(await openMirroredStore('served'));
  const { store, deps, shelf } = bench;
  const workers = createWorkers({ threads: 1 });
  const hooks = webhookBench(store, { resolve: createResolver([]), ca: '' });
  const parts = { store, workers, clock: hooks.clock, onDue: () => undefined };
  const lists = createWatchLists(parts);
  /** One of its own; `during` is called while keys are compared. */
  const comparer = (during = () => Promise.resolve<unknown>(null)) =>
    new Comparer({
      ...{ ...parts, log: logInto([]), schemas: SCHEMAS },
      workers: {
        run: async (of, task) => {
          if ((of as object) === COMPARE_KEYS) await during();
          return await workers.run(of, task);
        },
      },
    });
  const read = async <Row extends object>(query: string, given: readonly unknown[] = []) =>
    (await store.pool.query<Row>(query, [...given])).rows;
  return {
    ...bench,
    ...{ hooks, workers, lists, comparer },
    compare: async (by = comparer()): Promise<void> => {
      while (await by.step());
      await by.stop();
    },
    /** A fresh account that may read all and has a webhook. */
    customer: async (permission = 'read') => {
      const account = await hooks.accounts.account();
      await hooks.accounts.key(account, { permission });
      await addEndpoint(store, account);
      return account;
    },
    watch: async (account: string, kind: WatchKind, objects: readonly SentObject[]) =>
      (await lists.create(account, { name: 'Prøve', kind, objects })).id,
    /** What was sent of a list, in the order of its transactions. */
    sent: async (listId: string): Promise<readonly Sent[]> => {
      const rows = await read<{ body: string }>(
        `select body from webhook_delivery where event = 'watch.changed' and position($1 in body) > 0`,
        [listId],
      );
      const all = rows.map(({ body }) => (JSON.parse(body) as { data: Sent }).data);
      return all.sort((a, b) => a.transaktion - b.transaktion);
    },
    /** Rows of a table begin another time, or have other cells; published at once. */
    change: async (register: RegisterId, changes: readonly ChangedRows[]) => {
      days += 1;
      const at = new Date(Date.UTC(2026, 9, 1, days)).toISOString().replace('Z', '000Z');
      for (const { entity, ids, cells } of changes) {
        const known = new Set(ids.map(String));
        const close = shelf
          .rows(entity)
          .filter(
            (row) =>
              known.has(row['id_lokalId'] ?? '') &&
              row['registreringTil'] === null &&
              row['virkningTil'] === null,
          );
        const opened = new Map(close.map((row) => [row['id_lokalId'], row]));
        if (opened.size !== known.size) {
          throw new Error(`${entity}: ${opened.size} of ${known.size} rows`);
        }
        const own = { [CONTENT[entity] ?? 'virkningFra']: `${days}` };
        const open =
          cells === null
            ? []
            : [...opened.values()].map((row) => ({ ...row, ...own, virkningFra: at, ...cells }));
        shelf.change(entity, { at, close, open });
      }
      const outcome = await syncLayer(deps, register, {
        trigger: 'command',
        liftedGuards: LIFTABLE_GUARDS,
      });
      if (outcome.state !== 'published') throw new Error(JSON.stringify(outcome));
    },
    one: async <Row extends object>(query: string) => {
      const [row] = await read<Row>(query);
      if (row === undefined) throw new Error(`No row: ${query}`);
      return row;
    },
    close: async () => {
      await hooks.close();
      await workers.close();
      await bench.close();
    },
  };
}

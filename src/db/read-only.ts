import type { Store, Trx } from './connect.ts';

/** Every statement of `work` sees the store at one moment. */
export function readOnly<T>({ db }: Pick<Store, 'db'>, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work);
}

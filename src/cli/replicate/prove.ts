/** Compares every row of a copy with an extract of the transaction that the copy is up to date with. */
import { extractOf, latest } from './feed.ts';
import type { Replication } from './follow.ts';

/** Whether all are equal. The copy must have the latest event. */
export async function prove({ service, copy, say }: Replication): Promise<boolean> {
  const now = await latest(service);
  const position = await copy.position();
  if (position?.event !== now.event) {
    say(`The copy is at event ${position?.event ?? 0}, the service at ${now.event}: run it again.`);
    return false;
  }
  let isEqual = true;
  for (const { register } of await copy.registers()) {
    const found = await copy.compare(register, extractOf(service, register, now.transaction));
    say(`${register}: ${found.rows} rows, ${found.apart} apart`);
    isEqual &&= found.apart === 0;
  }
  return isEqual;
}

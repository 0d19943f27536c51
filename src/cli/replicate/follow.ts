/**
 * Starts with extracts of one transaction, continues with events. Commits rows with their position,
 * so it may be killed at any time.
 */
import { Refused } from '../job-client/service.ts';
import type { Service } from '../job-client/service.ts';
import { changeOf, extractOf, latest, pageAfter, registersOf } from './feed.ts';
import type { Page } from './feed.ts';
import type { Copy, CopyRow } from './store.ts';

export interface Replication {
  readonly service: Service;
  readonly copy: Copy;
  readonly say: (message: string) => void;
}

const WAIT_S = 20;

/** Ends when the copy has the latest event, or never. */
export async function follow(
  all: Replication,
  {
    registers,
    isEndless,
  }: { readonly registers: readonly string[] | undefined; readonly isEndless: boolean },
): Promise<void> {
  const { copy, say } = all;
  if ((await copy.position()) === null) await begin(all, registers);
  for (;;) {
    try {
      await takeExtracts(all);
      await goOn(all, isEndless);
      return;
    } catch (error) {
      if (!isGone(error)) throw error;
      say(`${(error as Error).message} The copy begins anew.`);
      await begin(
        all,
        (await copy.registers()).map(({ register }) => register),
      );
    }
  }
}

async function goOn(all: Replication, isEndless: boolean): Promise<void> {
  const { service, copy } = all;
  const registers = (await copy.registers()).map(({ register }) => register);
  for (;;) {
    const { event = 0 } = (await copy.position()) ?? {};
    const page = await pageAfter(service, { event, registers, waitS: isEndless ? WAIT_S : 0 });
    await apply(all, page);
    if (page.naeste >= page.seneste && !isEndless) return;
  }
}

async function begin(
  { service, copy }: Replication,
  registers: readonly string[] | undefined,
): Promise<void> {
  await copy.begin(await latest(service), registers ?? (await registersOf(service)));
}

/** For registers that have none yet. */
async function takeExtracts({ service, copy, say }: Replication): Promise<void> {
  const { transaction = 0 } = (await copy.position()) ?? {};
  for (const { register, isWhole } of await copy.registers()) {
    if (isWhole) continue;
    try {
      await copy.replace(register, transaction, extractOf(service, register, transaction));
      say(`${register}: extract of transaction ${transaction}`);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      say(`${register} is left out: ${(error as Error).message}`);
      await copy.leaveOut(register);
    }
  }
}

async function apply({ service, copy, say }: Replication, page: Page): Promise<void> {
  const changes = new Map<string, CopyRow[]>();
  for (const { nr, register, udtraek, haendelser } of page.transaktioner) {
    if (udtraek !== null) {
      say(`${register} begins anew with transaction ${nr}`);
      changes.delete(register);
      await copy.replace(register, nr, extractOf(service, register, nr));
    }
    const rows = changes.get(register) ?? [];
    rows.push(...haendelser.map(changeOf));
    changes.set(register, rows);
  }
  await copy.apply(changes, page.naeste);
}

const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 410;
const isForbidden = (error: unknown): boolean => error instanceof Refused && error.status === 403;

/** The copy must have the latest event. */
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

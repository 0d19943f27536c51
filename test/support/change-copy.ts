/** A copy kept from the log of changes, held against the rows in service. */
import { expect } from 'vitest';
import { entitiesOf } from '../../src/changes/entity-rows.ts';
import { readEvents } from '../../src/changes/events.ts';
import { readExtract } from '../../src/changes/extract.ts';
import type { ChangeSource } from '../../src/changes/source.ts';
import type { ChangeEvent, EventRange } from '../../src/changes/types.ts';
import { sql } from 'kysely';
import type { MirrorId } from '../../src/layers/keys.ts';

/** Rows by entity and key, as JSON. */
export type Copy = Map<string, string>;

const nameOf = (entity: string, key: string): string => `${entity} ${key}`;

/** What is in service, read without the log. */
export async function rowsInService(source: ChangeSource, register: MirrorId): Promise<Copy> {
  const copy: Copy = new Map();
  for (const { entity, live, isOfLive, liveKey, now } of entitiesOf(register, source.schemas)) {
    const { rows } = await sql<{ key: string; row: unknown }>`
      select ${liveKey} as key, ${now} as row from ${live} where ${isOfLive}`.execute(source.db);
    for (const { key, row } of rows) copy.set(nameOf(entity, key), JSON.stringify(row));
  }
  return copy;
}

async function extracted(
  source: ChangeSource,
  register: MirrorId,
  atTransaction: number,
): Promise<Copy> {
  const copy: Copy = new Map();
  for (const { entity } of entitiesOf(register, source.schemas)) {
    for await (const { noegle, raekke } of readExtract(source, {
      register,
      entity,
      atTransaction,
    })) {
      const name = nameOf(entity, noegle);
      expect(copy.has(name), `${name} twice`).toBe(false);
      if (raekke !== null) copy.set(name, JSON.stringify(raekke));
    }
  }
  return copy;
}

/** Throws where the copy is not what the event says it was. */
function applyEvent(copy: Copy, event: ChangeEvent): void {
  const { entity, key, before, after, operation } = event;
  const name = nameOf(entity, key);
  expect(copy.get(name) ?? null, `${operation} ${name}`).toBe(before && JSON.stringify(before));
  if (after === null) copy.delete(name);
  else copy.set(name, JSON.stringify(after));
  if (operation === 'ny') expect(before, name).toBeNull();
  if (operation === 'ophoert') expect(after, name).toBeNull();
}

export async function applyEvents(
  source: ChangeSource,
  copy: Copy,
  range: EventRange,
): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const event of readEvents(source, range)) {
    applyEvent(copy, event);
    numbers.push(event.nr);
  }
  return numbers;
}

/** So many extracts are led on to every later state; all are held against what was. */
const WAYS = 10;

export async function expectAllWays(
  source: ChangeSource,
  register: MirrorId,
  states: ReadonlyMap<number, Copy>,
): Promise<void> {
  const numbers = [...states.keys()];
  for (const [at, from] of numbers.entries()) {
    const copy = await extracted(source, register, from);
    expect(copy, `extract of ${from}`).toEqual(states.get(from));
    if (at % Math.ceil(numbers.length / WAYS) !== 0) continue;
    for (const [n, to] of numbers.slice(at + 1).entries()) {
      const since = numbers[at + n] ?? 0;
      const range = { registers: [register], fromTransaction: since + 1, toTransaction: to };
      await applyEvents(source, copy, range);
      expect(copy, `${from} to ${to}`).toEqual(states.get(to));
    }
  }
}

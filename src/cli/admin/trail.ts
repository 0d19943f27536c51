import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Store } from '../../db/connect.ts';
import { Failure } from '../../kernel/failures.ts';
import { OPS_LIMITS } from '../../ops/limits.ts';
import { readActs } from '../../ops/operator-acts.ts';
import { exportActs, faultOfTrail } from '../../ops/trail-proof.ts';
import type { ExportedAct } from '../../ops/trail-proof.ts';
import type { TrailCommand } from './command.ts';
import { ndjson, timeOf } from './done.ts';
import type { Done } from './done.ts';

type Stored = Pick<Store, 'db'>;

/** `idOf` throws for an unknown account. */
export async function runTrailCommand(
  store: Stored,
  command: TrailCommand,
  idOf: (account: string) => Promise<string>,
): Promise<Done> {
  if (command.do === 'trail verify') return await verify(store, command.file);
  if (command.isExport) {
    return { value: null, lines: [], stream: ndjson(exportActs(store)) };
  }
  const { account, who } = command;
  const acts = await readActs(store, {
    ...{ limit: OPS_LIMITS.actsPerPage.max, before: null, who: who ?? undefined },
    accountId: account === null ? undefined : await idOf(account),
  });
  const lines = acts.map(({ atMs, who: name, via, from, act, accountId, target, before, wanted }) =>
    [
      ...[timeOf(atMs), name, `${via} ${from}`, act, accountId ?? '-', target ?? '-'],
      `${JSON.stringify(before)} -> ${JSON.stringify(wanted)}`,
    ].join('  '),
  );
  return { value: { acts }, lines: lines.length === 0 ? ['There is no act.'] : lines };
}

async function verify(store: Stored, file: string | null): Promise<Done> {
  const fault = await faultOfTrail(store, file === null ? [] : await readExport(file));
  if (fault !== null) throw new Failure('conflict', { error: fault });
  return { value: { whole: true }, lines: ['All acts are as they were kept.'] };
}

async function readExport(file: string): Promise<readonly ExportedAct[]> {
  const acts: ExportedAct[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line !== '') acts.push(exported(line, acts.length + 1));
  }
  return acts;
}

function exported(line: string, number: number): ExportedAct {
  try {
    const { id, previous, text, hash } = JSON.parse(line) as Partial<ExportedAct>;
    if (typeof id === 'number' && typeof previous === 'string' && typeof hash === 'string') {
      return { id, previous, text: text ?? null, hash };
    }
  } catch {
    // Reported below.
  }
  throw new Failure('invalid_request', { error: `Line ${number} of the file is not an act.` });
}

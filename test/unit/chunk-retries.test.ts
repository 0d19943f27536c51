/** Which rows of a job that were not answered are asked about again, and which give their chunk back. */
import { expect, test, vi } from 'vitest';
import { answerByLookups } from '../../src/jobs/answer-chunk.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { encodeRows } from '../../src/jobs/chunk-rows.ts';
import { notHere, tooOld, unreadableCopy } from '../../src/core/standing/standing.ts';
import type { AnyRows } from '../../src/core/rows/kind.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { StoreSilent } from '../../src/kernel/server-unavailable.ts';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';

const register = REGISTERS_CATALOGUE.registers[ADDRESSES];
const read = (cause: unknown) => unreadableCopy({}, register, { cause });

/** The rounds until a chunk of one row ends, each of whose questions fails so; those that may ask registers. */
async function ask(failure: Failure, firstRow = 1, storeError?: Error) {
  const rounds: boolean[] = [];
  const kind: Partial<AnyRows> = {
    question: () => null,
    askAll: (_, __, deadline) => {
      rounds.push(!deadline.signal.aborted);
      if (storeError !== undefined) deadline.storeFailed?.(storeError);
      return Promise.resolve({ generation: null, value: [failure] });
    },
  };
  const question = {
    ...{ columns: {}, inputColumns: ['id'], srid: 4326 as const, firstRow, skip: 0 },
    ...{ mostAnswers: 1, input: encodeRows([['1']]) },
  };
  const output = await answerByLookups(question, {
    ...{ kind: kind as AnyRows, lookups: null },
    findAccess: undefined as never,
    deadline: { signal: new AbortController().signal, holder: 'job' },
  });
  const live = rounds.filter((isLive) => isLive).length;
  return { rounds: rounds.length, live, failed: output.failed };
}

const isTorn = new Failure('upstream_error', { error: 'The cadastre has no position of it.' });
const timeout = read(new UpstreamFailure('timeout', 'timeout of the register'));

test.each([
  ['a copy that is too old', tooOld(register), 1],
  ['a copy that is not here', notHere(register), 1],
  ['what a copy lacks', isTorn, 1],
  ['a register that did not answer', timeout, 3],
])('of %s: a row is asked about as often as that may mend', async (_, failure, rounds) => {
  expect(await ask(failure)).toEqual({ rounds, live: rounds, failed: 1 });
});

test('registers are asked for a chunk’s time, and of the first rows of a job alone', async () => {
  const { rows, chunkMs } = JOB_LIMITS.live;
  expect(await ask(timeout, rows)).toMatchObject({ rounds: 3, live: 3 });
  expect(await ask(timeout, rows + 1)).toEqual({ rounds: 1, live: 0, failed: 1 });
  const spent = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  expect(await ask(timeout)).toEqual({ rounds: 1, live: 0, failed: 1 });
  expect(spent).toHaveBeenCalledWith(chunkMs);
  spent.mockRestore();
});

test('a store that is away is no error of a row: its chunk is given back', async () => {
  await expect(ask(read(new StoreSilent()))).rejects.toThrow(StoreSilent);
});

test('nor is one whose registers, asked in its place, do not answer either, or cannot', async () => {
  await expect(ask(timeout, 1, new StoreSilent())).rejects.toThrow(StoreSilent);
  await expect(ask(notHere(register), 1, new StoreSilent())).rejects.toThrow(StoreSilent);
  expect(await ask(timeout, 1, new Error('a fault'))).toMatchObject({ failed: 1 });
});

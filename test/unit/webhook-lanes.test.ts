/** What is sent next: those who answer never behind those who fail, and nothing that was told of is lost. */
import { describe, expect, test } from 'vitest';
import { WEBHOOK_LIMITS } from '../../src/webhooks/limits.ts';
import { readNotice } from '../../src/webhooks/dispatch-store.ts';
import { DueList } from '../../src/webhooks/due-list.ts';
import { Waker, paceOf } from '../../src/webhooks/pace.ts';

const { inFlight, pace, dueListed } = WEBHOOK_LIMITS;
const due = (
  name: string,
  isFailing = false,
  host = `${name}.example`,
  accountId = `of ${name}`,
) => ({ ...{ endpointId: name, accountId, host, isFailing } });

describe('the list of what is due', () => {
  test('has a lane for those that fail, whose places leave the others theirs', () => {
    const list = new DueList();
    list.replace([due('a'), due('x', true), due('b')]);
    expect(list.take('well', 64)).toEqual(['a', 'b']);
    expect(list.take('failing', 64)).toEqual(['x']);
    for (let n = 0; n < inFlight.failing; n++) list.begin(due(`x${n}`), 'failing');
    expect([list.free('failing'), list.free('well')]).toEqual([
      0,
      inFlight.total - inFlight.failing,
    ]);
  });

  test('keeps what was told while it was being read anew', () => {
    const list = new DueList();
    list.tell(due('old'));
    list.lookBegins();
    list.tell(due('new'));
    list.replace([due('a')]);
    expect(list.take('well', 64)).toEqual(['a', 'new']);
  });

  test('is told of so many and no more between two looks', () => {
    const list = new DueList();
    for (let n = 0; n < dueListed; n++) expect(list.tell(due(`e${n}`))).toBe(true);
    expect(list.tell(due('one more'))).toBe(false);
    list.lookBegins();
    expect(list.tell(due('one more'))).toBe(true);
  });

  test('is read anew, once, when a look found more than it lists and that is done', () => {
    const list = new DueList();
    list.replace([due('a')]);
    list.take('well', 64);
    expect(list.isToBeReadAnew('well')).toBe(false);
    list.replace(Array.from({ length: dueListed }, (_, n) => due(`e${n}`)));
    expect(list.isToBeReadAnew('well')).toBe(false);
    list.take('well', dueListed);
    expect([list.isToBeReadAnew('well'), list.isToBeReadAnew('well')]).toEqual([true, false]);
  });

  test('gives one host its places, and lets others go first', () => {
    const list = new DueList();
    const same = (n: number) => due(`same${n}`, false, 'one.example', 'one');
    list.replace([same(1), same(2), same(3), due('b')]);
    expect(list.take('well', 64)).toEqual(['same1', 'same2', 'b']);
    list.begin(same(1), 'well');
    list.end(same(1), 'well', 'failing');
    expect(list.take('well', 64)).toEqual(['same3']);
    // It failed: what else it has is looked for behind the others.
    expect(list.take('failing', 64)).toEqual(['same1']);
  });

  test('gives each account its own places at a host, and no account all places', () => {
    const list = new DueList();
    const hanging = Array.from({ length: 20 }, (_, n) =>
      due(`h${n}`, false, n < 10 ? 'cdn.example' : `h${n}.example`, 'hanging'),
    );
    const other = due('other', false, 'cdn.example', 'other');
    list.replace([...hanging, other]);
    const taken = list.take('well', inFlight.total);
    expect(taken.filter((id) => id !== 'other')).toHaveLength(inFlight.account / inFlight.endpoint);
    expect(taken).toContain('other');
    for (const each of hanging.filter(({ endpointId }) => taken.includes(endpointId))) {
      for (let n = 0; n < inFlight.endpoint; n++) list.begin(each, 'well');
    }
    list.replace([...hanging, other]);
    expect(list.take('well', inFlight.total)).toEqual(['other']);
  });
});

test('who answers is sent to at once, unless lookups are answered; who fails gives way to both', () => {
  const quiet = { isAnswering: false, sinceWellMs: Infinity };
  const all = { atOnce: inFlight.total, gapMs: 0, restMs: 0 };
  expect(paceOf('well', quiet)).toEqual(all);
  expect(paceOf('well', { ...quiet, isAnswering: true })).toEqual(pace.besideLookups);
  expect(paceOf('failing', quiet)).toEqual(pace.failingAlone);
  expect(paceOf('failing', { ...quiet, sinceWellMs: 0 })).toEqual(pace.failingBeside);
  expect(paceOf('failing', { ...quiet, isAnswering: true })).toEqual(pace.failingBeside);
});

test('a notification names an endpoint and its host, or nothing in particular', () => {
  const endpointId = `webhook_${'a'.repeat(20)}`;
  expect(readNotice(`${endpointId} a.example`)).toEqual({ endpointId, host: 'a.example' });
  for (const text of ['', endpointId, 'a.example', `x${endpointId} a.example`]) {
    expect(readNotice(text)).toBeNull();
  }
});

test('a wait is cut short by a call before it or during it, once', async () => {
  const waker = new Waker();
  waker.wake();
  await waker.wait(60_000);
  const waiting = waker.wait(60_000);
  waker.wake();
  await waiting;
  await waker.wait(1);
});

/**
 * One client against all others, with figures of a bystander: how long it waits for its answers beside
 * an attack, held against its own quiet ones. What is held off here took seconds.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { beside, startService } from './bystander.ts';
import type { Beside } from './bystander.ts';

/** Beside three times its quiet wait, milliseconds: at the 99th percentile, and for any answer. */
const SLACK_MS = { p99: 300, most: 1_500 };
const GROWTH_BYTES = 300 * 1024 * 1024;

const MORE_LOG_BYTES_PER_SECOND = 4_096;
/** Of each attack, which takes all of the machine that it gets. */
const ATTACK_MS = 2_000;
const QUIET_MS = 600;

const asked = (target: string, times: number, ...more: string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: x', ...more].join('\r\n')}\r\n\r\n`.repeat(times);
const LOOKUP = '/v1/natur/byggelinjer?lon=12.1&lat=55.6';
const KEY = 'Authorization: Bearer svc_live_one';

function expectUndisturbed({ quiet, attacked, before, after }: Beside): void {
  const figures = figuresOf({ quiet, attacked });
  expect(attacked.p99Ms, figures).toBeLessThan(3 * quiet.p99Ms + SLACK_MS.p99);
  expect(attacked.mostMs, figures).toBeLessThan(3 * quiet.mostMs + SLACK_MS.most);
  expect(after.rssBytes - before.rssBytes).toBeLessThan(GROWTH_BYTES);
  const logBytes = after.logBytes - before.logBytes;
  expect(logBytes).toBeLessThan((MORE_LOG_BYTES_PER_SECOND * ATTACK_MS) / 1_000);
}

/** For the report: milliseconds, and how many times its own quiet wait. */
function figuresOf({ quiet, attacked }: Pick<Beside, 'quiet' | 'attacked'>): string {
  const one = (name: 'p50Ms' | 'p99Ms' | 'mostMs'): string =>
    `${name} ${attacked[name].toFixed(2)} (quiet ${quiet[name].toFixed(2)}, ` +
    `${(attacked[name] / quiet[name]).toFixed(1)} times)`;
  return `${one('p50Ms')}, ${one('p99Ms')}, ${one('mostMs')}; ${attacked.answers} answers`;
}

const service = await startService();
afterAll(() => service.stop());

const run = (attack: { connections: number; text: string }): Promise<Beside> =>
  beside(service, attack, { quietMs: QUIET_MS, attackMs: ATTACK_MS });

describe('a bystander waits no longer, and memory and log stay small, beside', () => {
  test.for([
    ['1,400 open requests at once on 100 connections', 100, asked('/healthz', 1_400)],
    ['200 large documents at once on 200', 200, asked('/openapi.json', 200)],
    ['targets of no web server', 100, asked('ws://x/y', 1_000)],
    ['files of no page', 100, asked('/web/%00', 1_000)],
    ['rubbish', 100, `${asked(LOOKUP, 1, KEY)}rubbish\r\n\r\n`],
    ['heads without end', 100, `GET /${'a'.repeat(64 * 1024)}`],
  ] as const)('%s', async ([_what, connections, text], { annotate }) => {
    const result = await run({ connections, text });
    await annotate(figuresOf(result));
    expectUndisturbed(result);
  });

  test('lookups of one customer asked ahead; what is billed of them is answered', async ({
    annotate,
  }) => {
    const result = await run({ connections: 100, text: asked(LOOKUP, 300, KEY) });
    await annotate(figuresOf(result));
    expectUndisturbed(result);
    const { attacked, flooded, before, after } = result;
    // Those under way when the attackers hang up may be billed and lost: no more than all may be owed.
    const billed = after.billed - before.billed - attacked.answers;
    expect(billed).toBeGreaterThan(0);
    expect(billed - flooded.answers).toBeLessThanOrEqual(100 * HTTP_LIMITS.owedAnswers);
  });
});

/**
 * The edge under attack in a process of its own, so that whoever attacks or measures costs it nothing:
 * lookups from memory, keys and a meter that keeps account.
 */
import { Writable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { buildApp } from '../../src/http/app.ts';
import type { Services } from '../../src/http/services.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import type { BuildingLines } from '../../src/registers/lines/lookup.ts';
import type { BuildingLinesAnswer, LineAnswer } from '../../src/answers/answer.ts';
import type { Point } from '../../src/geo/point.ts';
import { edgeRegisters } from '../edge/edge.ts';
import { BARE_SERVICES } from '../support/bare-services.ts';
import { keptAccess } from '../edge/access.ts';

export interface ServiceOrder {
  readonly fastPath: boolean;
}

export interface ServiceReport {
  readonly port: number;
  readonly rssBytes: number;
  readonly logBytes: number;
  /** Units on the bill so far. */
  readonly billed: number;
}

const GENERATION = 7;

const lineAt = (line: LineKey): LineAnswer => ({
  status: 'ok',
  line,
  within: false,
  uncertain: false,
  distanceM: null,
  count: 0,
  hit: null,
  repealed: [],
  provenance: { rung: 'snapshot', ageS: 60 },
});

const answerAt = (point: Point, lines: readonly LineKey[]): BuildingLinesAnswer => ({
  point,
  searchRadiusM: LIMITS.searchRadiusM.default,
  lines: lines.map(lineAt),
});

const buildingLines: BuildingLines = {
  tryAnswerSync: (lines) => ({ generation: GENERATION, at: (point) => answerAt(point, lines) }),
  at: (points, lines) =>
    Promise.resolve({
      generation: GENERATION,
      value: points.map((point) => answerAt(point, lines)),
    }),
};

async function serve({ fastPath }: ServiceOrder): Promise<() => ServiceReport> {
  let logBytes = 0;
  const logStream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logBytes += chunk.length;
      done();
    },
  });
  const access = keptAccess({
    svc_live_one: { keyId: 'key_live' },
    svc_live_two: { keyId: 'key_two', accountId: 'account_2' },
    svc_test_one: { keyId: 'key_test', accountId: 'account_3', environment: 'test' },
  });
  const services = {
    ...BARE_SERVICES,
    access,
    catalogue: REGISTERS_CATALOGUE,
    sourceOf: () => 'Opdigtet prøveregister',
    registers: edgeRegisters({ buildingLines }),
    isReady: () => Promise.resolve(true),
  } as unknown as Services;
  const app = await buildApp(services, {
    publicUrl: 'https://geo.example',
    logLevel: 'warn',
    logStream,
    fastPath,
    newRequestId: () => 'fresh-id',
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return () => ({
    port,
    rssBytes: process.memoryUsage().rss,
    logBytes,
    billed: access.settled.reduce((sum, { units }) => sum + units, 0),
  });
}

let report: Promise<() => ServiceReport> | null = null;
process.on('message', (order: ServiceOrder) => {
  report ??= serve(order);
  void report.then((told) => process.send?.(told()));
});
process.on('disconnect', () => process.exit());

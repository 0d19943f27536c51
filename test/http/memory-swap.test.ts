/**
 * A publication every 100 ms while batches run: no answer fails, and none mixes two generations. The
 * first editions come by a sync, the fast ones by the same changes in one transaction; and a second
 * time all come by whole syncs and reverts. Two layers carry the name of their edition in every
 * feature; each batch must show the one edition of each that was published at the generation it names.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { revertLayer } from '../../sync/revert.ts';
import { samplePoint } from '../../sample/points.ts';
import { openMemoryBench } from '../support/memory.ts';
import { HANG_MS, amountOf, isHeavy } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const LAYERS = ['skov', 'dige'] as const;
type Edited = (typeof LAYERS)[number];
type Editions = Readonly<Record<Edited, string>>;

/** Inside a forest and on a dyke: each shows a feature of one of the two layers. */
const forest = samplePoint('forest').wgs84;
const dyke = samplePoint('dyke').wgs84;
const payload = { punkter: Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? forest : dyke)) };

interface Body {
  readonly results: readonly {
    readonly byggelinjer: {
      readonly utilgaengelige: readonly string[];
      readonly linjer: Readonly<
        Record<LineKey, { traef: { kommune: { navn: string | null } } | null }>
      >;
    };
  }[];
}

const PUBLICATIONS = amountOf({ gate: 4, night: 60 });
const PACE_MS = 100;

const bench = await opened(openMemoryBench());

describe.each(['memory', 'store'] as const)('versions swapped under load, from %s', (rung) => {
  const published = new Map<string, Editions>();
  let now: Editions = { skov: '', dige: '' };
  let app: FastifyInstance;

  async function publish(layer: Edited, edition: string): Promise<void> {
    bench.upstream.holdings.edit(layer, (features) =>
      features.map((feature) => ({
        ...feature,
        properties: { ...feature.properties, CVR_navn: edition },
      })),
    );
    const outcome = await bench.sync(layer, { liftedGuards: ['change-share'] });
    if (outcome.state !== 'published') throw new Error(JSON.stringify(outcome));
    note(layer, edition, outcome.publication.generation);
  }

  function note(layer: Edited, edition: string, generation: number): void {
    now = { ...now, [layer]: edition };
    published.set(String(generation), now);
  }

  /** What a sync of one changed attribute does to the mirror, without its seconds of care before. */
  async function publishAtOnce(layer: Edited, edition: string): Promise<void> {
    const generation = await bench.store.db.transaction().execute(async (trx) => {
      await sql`
        update line_feature set attributes = jsonb_set(attributes, '{municipalityName}',
          to_jsonb(${edition}::text)) where layer = ${layer}`.execute(trx);
      const { rows } = await sql<{ generation: string }>`
        with stepped as (update store_state set generation = generation + 1 returning generation)
        update layer_state set version = version + 1, generation = stepped.generation,
          published_at = clock_timestamp()
        from stepped where layer = ${layer} returning stepped.generation`.execute(trx);
      return Number(rows[0]!.generation);
    });
    note(layer, edition, generation);
  }

  /** Editions shown by one answer; more than one of a layer would be a mixed answer. */
  function shownBy({ results }: Body): Record<Edited, string[]> {
    const shown: Record<Edited, Set<string>> = { skov: new Set(), dige: new Set() };
    for (const { byggelinjer } of results) {
      expect(byggelinjer.utilgaengelige).toEqual([]);
      for (const layer of LAYERS) {
        const name = byggelinjer.linjer[layer].traef?.kommune.navn;
        if (name !== undefined && name !== null) shown[layer].add(name);
      }
    }
    return { skov: [...shown.skov], dige: [...shown.dige] };
  }

  /** The edition before, published again. */
  async function revert(layer: Edited, edition: string): Promise<void> {
    const outcome = await revertLayer(bench.deps, layer, { by: 'Prøve' });
    if (outcome.state !== 'published') throw new Error(JSON.stringify(outcome));
    note(layer, edition, outcome.publication.generation);
  }

  /** However busy the machine: the load ends when memory holds what was published last. */
  async function caughtUp(memory: LayerLoader | null): Promise<void> {
    if (memory === null) return;
    const last = Math.max(...[...published.keys()].map(Number));
    const isThere = () => {
      expect(memory.current?.generation).toBe(last);
    };
    await vi.waitFor(isThere, { timeout: 2 * HANG_MS, interval: 50 });
  }

  async function syncAndRevert(memory: LayerLoader | null): Promise<number> {
    for (const layer of LAYERS) {
      const before = now[layer];
      await publish(layer, `${before}, synced`);
      memory?.nudge();
      await revert(layer, before);
      memory?.nudge();
    }
    return 2 * LAYERS.length;
  }

  async function publishFast(memory: LayerLoader | null): Promise<number> {
    for (let n = 0; n < PUBLICATIONS; n++) {
      const pause = sleep(PACE_MS);
      await publishAtOnce(LAYERS[n % 2]!, `${rung} ${LAYERS[n % 2]!} ${n + 1}`);
      memory?.nudge();
      await pause;
    }
    return PUBLICATIONS;
  }

  // A whole sync is the same for both: by day under the load of memory.
  const isTried = rung === 'memory' || isHeavy;
  test.each([
    ...(isTried ? [['syncs and reverts', syncAndRevert] as const] : []),
    ['a publication every 100 ms', publishFast] as const,
  ])('no answer fails and none is mixed under %s', async (what, publishAll) => {
    await publish('skov', `${rung} skov, then ${what}`);
    await publish('dige', `${rung} dige, then ${what}`);
    const memory = rung === 'memory' ? bench.memoryIn(bench.newDirectory()) : null;
    await memory?.refresh();
    memory?.start();
    app = await bench.edge(memory);
    const load = { isOver: false };
    const publishing = publishAll(memory)
      .then(async (publications) => {
        await caughtUp(memory);
        return publications;
      })
      .finally(() => {
        load.isOver = true;
      });
    publishing.catch(() => undefined);
    const answers: { generation: string; shown: Record<Edited, string[]> }[] = [];
    for (let isLast = false; !isLast;) {
      isLast = load.isOver;
      const url = '/v1/natur/byggelinjer:batch';
      const response = await app.inject({ method: 'POST', url, payload });
      expect(response.statusCode).toBe(200);
      const detail = rung === 'memory' ? 'snapshot' : 'store';
      expect(response.headers['cache-status']).toBe(`geoopslag; hit; detail=${detail}`);
      answers.push({
        generation: String(response.headers['x-service-generation']),
        shown: shownBy(response.json<Body>()),
      });
      await sleep(1);
    }
    const publications = await publishing;
    await memory?.stop();
    await app.close();
    const seen = new Set(answers.map(({ generation }) => generation));
    for (const { generation, shown } of answers) {
      const { skov, dige } = published.get(generation)!;
      expect({ generation, ...shown }).toEqual({ generation, skov: [skov], dige: [dige] });
    }
    expect(publications).toBeGreaterThan(3);
    expect(seen.size).toBeGreaterThan(1);
  });
});

/**
 * A day of everybody who asked DAWA, through the door that speaks it: what each route costs one front, and
 * from that how many fronts a rate wants, by simulation. One real front is driven at its share, beside a bare
 * server. `--rate` requests a second in the day (1,000), ten times that in bursts.
 */
import { randomFrom } from './national/land.ts';
import type { Random } from './national/land.ts';
import { typedTexts } from './national/typing.ts';
import { fillSampled, reversePath } from './address-http.ts';
import type { Sample } from './address-http.ts';
import { arrive, get } from './harness/load.ts';
import { interleave, median, quantile } from './harness/measure.ts';
import { numberOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { driven, startBare, startService, untilFromMemory } from './harness/server.ts';
import type { Measured, Server } from './harness/server.ts';

/**
 * Shares of the traffic. Only their order is known, from public code that calls DAWA; the shares are an
 * assumption, and autocomplete is most because a person who types asks with every letter.
 */
const SHARES = {
  autocomplete: 0.6,
  reverse: 0.14,
  datavask: 0.1,
  'address by id': 0.1,
  postcodes: 0.06,
} as const;
type Route = keyof typeof SHARES;
const ROUTES = Object.keys(SHARES) as Route[];

const ROUNDS = 3;
const ROUND_MS = 2_000;
const CONNECTIONS = 8;
/** What a caller is promised, milliseconds. */
const P99_MS = 100;
const BURST = { times: 10, seconds: 60 } as const;
const MOST_FRONTS = 1_000;
const SIMULATED = 200_000;
const DRIVEN_MS = 10_000;
/** Some of the answers of an autocomplete. */
const BARE_BYTES = 4_000;
/** Hours at the rate of the day; the others ask a twentieth. */
const DAY_HOURS = 12;
const NIGHT_SHARE = 0.05;

/** Mean processor time of a request, microseconds. */
type Costs = Readonly<Record<Route, number>>;

export async function benchNationalDay(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const { data, made, sample } = await fillSampled(cleanup);
  const server = await startService(cleanup, { ...data.settings, DAWA: 'on' });
  await untilFromMemory(server, sample.places().slice(0, 1).map(reversePath));
  const requests = requestsOf(server, sample, sample.typed(made));
  const measured = await measureRoutes(server, requests);
  const costs = Object.fromEntries(
    ROUTES.map((route) => [route, median(measured[route].map(({ cpuUs }) => cpuUs))]),
  ) as Costs;
  const bareServer = await startBare(cleanup, 'x'.repeat(BARE_BYTES));
  return [
    row('access addresses', made.accessCount, 'rows'),
    ...ROUTES.map((route) =>
      row(
        `${route} (${Math.round(100 * SHARES[route])} % of the traffic), processor time`,
        costs[route],
        'µs',
      ),
    ),
    ...(await dayRows({ server, bareServer }, requests, costs)),
  ];
}

type Requests = Readonly<Record<Route, readonly Buffer[]>>;

function requestsOf({ key }: Server, sample: Sample, typed: ReturnType<Sample['typed']>): Requests {
  const path = (asked: string): Buffer => get(`/dawa/k/${key}/${asked}`, null);
  const text = encodeURIComponent;
  return {
    autocomplete: typedTexts(typed, randomFrom(42)).map((q) =>
      path(`autocomplete?q=${text(q)}&caretpos=${q.length}&type=adresse&fuzzy=`),
    ),
    reverse: sample
      .places()
      .map(({ lon, lat }) => path(`adgangsadresser/reverse?x=${lon}&y=${lat}`)),
    datavask: typed.map(({ whole }) => path(`datavask/adgangsadresser?betegnelse=${text(whole)}`)),
    'address by id': typed.map(({ id }) => path(`adgangsadresser/${id}?struktur=mini`)),
    postcodes: typed.map(({ whole }) => path(`postnumre/${/, (\d{4}) /.exec(whole)?.[1]}`)),
  };
}

async function measureRoutes(
  server: Server,
  requests: Requests,
): Promise<Record<Route, Measured[]>> {
  const load = { connections: CONNECTIONS, durationMs: ROUND_MS };
  const contestants = ROUTES.map((route) => [route, driven(server, requests[route], load)]);
  const found = await interleave(Object.fromEntries(contestants), { rounds: ROUNDS, warmUps: 1 });
  return found as Record<Route, Measured[]>;
}

async function dayRows(
  { server, bareServer }: { readonly server: Server; readonly bareServer: Server },
  requests: Requests,
  costs: Costs,
): Promise<BenchRow[]> {
  const rate = numberOption('rate', 1_000);
  const meanUs = ROUTES.reduce((sum, route) => sum + SHARES[route] * costs[route], 0);
  const day = frontsFor(costs, (fronts) => [{ perSecond: rate / fronts, seconds: Infinity }]);
  const burst = frontsFor(costs, (fronts) => [
    { perSecond: rate / fronts, seconds: BURST.seconds },
    { perSecond: (BURST.times * rate) / fronts, seconds: BURST.seconds },
  ]);
  const asked = rate * 3600 * (DAY_HOURS + NIGHT_SHARE * (24 - DAY_HOURS));
  // What this machine can drive is one front at its share; client and server are on the same cores.
  const perSecond = rate / day.fronts;
  const mix = mixOf(requests, randomFrom(9));
  const at =
    ({ port }: Server) =>
    () =>
      arrive({ port, perSecond, requests: mix, durationMs: DRIVEN_MS, random: randomFrom(8) });
  const { ours, bare } = await interleave(
    { ours: at(server), bare: at(bareServer) },
    { rounds: ROUNDS },
  );
  const p99Of = (rounds: typeof ours): number => median(rounds.map(({ p99Ms }) => p99Ms));
  return [
    row('a request of the mix, processor time', meanUs, 'µs'),
    row('requests of the mix a second that a core answers', 1e6 / meanUs, '/s'),
    row(`fronts of one core for ${rate}/s, p99 at most ${P99_MS} ms`, day.fronts, 'fronts'),
    row(`… for ${BURST.seconds} s of ${BURST.times * rate}/s`, burst.fronts, 'fronts'),
    row('the same of one of them, p99 simulated', day.p99Ms, 'ms'),
    row(`one real front at ${Math.round(perSecond)}/s, p99`, p99Of(ours), 'ms', {
      beside: ['bare Fastify at the same arrivals', p99Of(bare)],
    }),
    row('requests of a day', asked / 1e6, 'million'),
    row('processor time of a day', (asked * meanUs) / 3.6e9, 'hours of a core'),
  ];
}

/** Routes by their shares. */
function mixOf(requests: Requests, random: Random): Buffer[] {
  return Array.from({ length: 20_000 }, (_, n) => {
    const of = requests[drawn(random)];
    return of[n % of.length]!;
  });
}

function drawn(random: Random): Route {
  let left = random();
  return ROUTES.find((route) => (left -= SHARES[route]) < 0) ?? ROUTES[0]!;
}

interface Spell {
  readonly perSecond: number;
  readonly seconds: number;
}

/** The fewest with the promised p99 in the last spell. */
function frontsFor(costs: Costs, spells: (fronts: number) => readonly Spell[]) {
  for (let fronts = 1; fronts <= MOST_FRONTS; fronts++) {
    const p99Ms = simulateFront(costs, spells(fronts));
    if (p99Ms <= P99_MS) return { fronts, p99Ms };
  }
  throw new Error(`More than ${MOST_FRONTS} fronts.`);
}

/**
 * One front of many behind a balancer that draws lots, which is the worst that balancers do: arrivals by
 * chance, one after the other, each as long as its route on average and exponentially spread. The p99 of
 * the last spell, milliseconds.
 */
function simulateFront(costs: Costs, spells: readonly Spell[]): number {
  const random = randomFrom(7);
  const exponential = (mean: number): number => -mean * Math.log(1 - random());
  let waitMs = 0;
  let times: number[] = [];
  for (const { perSecond, seconds } of spells) {
    times = [];
    for (let atMs = 0; atMs < seconds * 1000 && times.length < SIMULATED;) {
      const serviceMs = exponential(costs[drawn(random)] / 1000);
      times.push(waitMs + serviceMs);
      const gapMs = exponential(1000 / perSecond);
      atMs += gapMs;
      waitMs = Math.max(0, waitMs + serviceMs - gapMs);
    }
  }
  return quantile(times, 0.99);
}

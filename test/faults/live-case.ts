/** One live lookup under one fault, held against the truth of the untouched sample. */
import type { LineMeasure } from '../../src/core/held/layer-reads.ts';
import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { Failure } from '../../src/kernel/failures.ts';
import { Failure as FailureClass } from '../../src/kernel/failures.ts';
import type { Catalogue } from '../../src/layers/catalogue.ts';
import { layerOf, overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { LineKey, Theme } from '../../src/layers/keys.ts';
import { LINE_KEYS, THEMES, isLineKey, isTheme } from '../../src/layers/keys.ts';
import type { LineAnswer, ReverseAreasAnswer, AreaAnswer } from '../../src/answers/answer.ts';
import { allowed, familyOf } from './matrix-terms.ts';
import type { LiveOutcome, MatrixRow } from './matrix-terms.ts';
import type { Ended, Finding, LiveCase } from './cases.ts';
import type { TestStore } from '../support/store-templates.ts';
import { rowsServed, servedAreas, servedWithin } from './served.ts';
import { SECRET, askingAs, leaks, lookupsOf, spoil } from './world.ts';
import type { KnownArea, KnownPoint, Lane, World } from './world.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Past every freshness limit, and past every hard limit. */
const STALE_MS = 9 * DAY_MS;
const EXPIRED_MS = 31 * DAY_MS;
/** Less than any answer needs on a busy machine is of no use; the faults here never answer. */
const HASTY_MS = 60;

export async function runLiveCase(world: World, on: Lane, given: LiveCase): Promise<Ended> {
  const { row, layer } = given;
  const lane = askingAs(on, given);
  lane.said.length = 0;
  spoil(lane, given);
  if (row.deaf) await lane.upstream.pause();
  try {
    if (!isLineKey(layer) && !isTheme(layer)) throw new Error('Districts are not asked live.');
    const ended = isLineKey(layer)
      ? await askLines(world, lane, { ...given, layer })
      : await askAreas(world, lane, { ...given, layer });
    const findings = [...ended.findings.map(explained(lane)), ...leaks(lane.said)];
    return { ...ended, findings };
  } finally {
    if (row.deaf) await lane.upstream.resume();
    lane.upstream.faults.clear();
  }
}

function explained({ said }: Lane): (finding: Finding) => Finding {
  const tries = said.length === 0 ? '' : `; failed tries: ${said.join(' | ')}`;
  return ({ kind, detail }) => ({ kind, detail: `${detail}${tries}` });
}

function lookups(world: World, lane: Lane, { copy, row, layer, alone, store }: StoredCase) {
  const laterMs = copy === 'expired' ? EXPIRED_MS : STALE_MS;
  const stores = row.afterRefusal === true ? world.refused : world;
  return lookupsOf(lane, catalogueOf(lane, { row, layer, alone }), {
    store: store ?? (copy === 'none' ? stores.empty : stores.mirrored),
    workers: world.workers,
    laterMs,
  });
}

type StoredCase = LiveCase & { readonly store?: TestStore };

/**
 * After a sync that a guard refused, the fault still there: past its limits the copy answers or nobody
 * does. `given`: the same row, asked as one whose register is never believed.
 */
export async function askAfterRefusal(
  world: World,
  lane: Lane,
  given: Omit<LiveCase, 'row'> & { readonly row: MatrixRow; readonly store: TestStore },
): Promise<Ended['findings']> {
  const { layer } = given;
  if (!isLineKey(layer) && !isTheme(layer)) return [];
  const row = { ...given.row, ...NEVER_BELIEVED };
  const { findings } = isLineKey(layer)
    ? await askLines(world, lane, { ...given, row, layer })
    : await askAreas(world, lane, { ...given, row, layer });
  return findings.map(({ kind, detail }) => ({ kind, detail: `after the refusal: ${detail}` }));
}

const NEVER_BELIEVED = { line: ['unavailable'], area: ['unavailable'] } as const;

/** Alone: every other layer's copy counts as fresh, so that only the spoiled one is asked live. */
function catalogueOf(
  { catalogue }: Lane,
  { row, layer, alone }: Pick<LiveCase, 'row' | 'layer' | 'alone'>,
): Catalogue {
  const others = alone ? [...LINE_KEYS, ...THEMES].filter((id) => id !== layer) : [];
  const freshness = { limitS: 40 * 24 * 3600, hardLimitS: 50 * 24 * 3600 };
  return overrideCatalogue(catalogue, {
    ...Object.fromEntries(others.map((id) => [id, { freshness }])),
    [layer]: {
      source: row.hasty === true ? { pointTimeoutMs: HASTY_MS } : {},
      guards: row.anyRows === true ? { minRows: 0 } : {},
    },
  });
}

/** What the cell allows; by the rows that are served, where those decide whether one believes them. */
function expectedOf(
  lane: Lane,
  { row, layer, rules, copy, store }: StoredCase,
): readonly LiveOutcome[] {
  const cell = allowed(isLineKey(layer) ? row.line : row.area, familyOf(layer)) ?? [];
  if (row.byTotal !== true || store !== undefined) return cell;
  const { guards } = layerOf(lane.catalogue, layer);
  const { before, now } = rowsServed({ holdings: lane.upstream.holdings, layer, rules });
  const gained = (now - before) / before;
  const isWithin = gained >= -guards.maxDropShare && gained <= guards.maxGrowthShare;
  return now >= guards.minRows && (copy === 'none' || isWithin) ? ['true'] : ['unavailable'];
}

type LineCase = StoredCase & { readonly layer: LineKey };

async function askLines(world: World, lane: Lane, given: LineCase): Promise<Ended> {
  const known = pickPoint(world.points, given);
  const asked = given.alone ? [given.layer] : LINE_KEYS;
  const { buildingLines } = lookups(world, lane, given);
  const signal = new AbortController().signal;
  const startedMs = performance.now();
  const { value } = await buildingLines.at([known.point], asked, { signal });
  const answers = value[0]?.lines ?? [];
  if (answers.length !== asked.length) {
    const detail = `${answers.length} answers of ${asked.length}`;
    return { outcome: 'nothing', findings: [{ kind: 'empty', detail }] };
  }
  const contexts = {
    spoiled: contextOf(given, { promised: expectedOf(lane, given), startedMs }),
    others: contextOf(given, { promised: ['true'], startedMs }),
  };
  const findings = answers.flatMap((answer) => {
    const context = answer.line === given.layer ? contexts.spoiled : contexts.others;
    const truth = known.lines[answer.line];
    if (given.row.served !== true || answer.line !== given.layer || answer.status !== 'ok') {
      return judgeLine(answer, truth, context);
    }
    const served = { holdings: lane.upstream.holdings, layer: given.layer, rules: given.rules };
    const within =
      answer.provenance.rung === 'origin' ? servedWithin(served, known.point.utm32) : truth.within;
    return judgeWithin(answer, within, context);
  });
  const spoiled = answers.find(({ line }) => line === given.layer);
  const outcome = spoiled?.status === 'ok' ? spoiled.provenance.rung : 'unavailable';
  return { outcome, late: contexts.spoiled.late, findings };
}

interface Context {
  readonly given: LiveCase;
  readonly expected: readonly LiveOutcome[];
  readonly late: boolean;
}

/**
 * What an answer that comes now may be. No row takes all the time of a lookup by itself: one that spent
 * it waited for its turn on a busy machine, and that is no answer from the register under every row.
 */
function contextOf(
  given: LiveCase,
  {
    promised,
    startedMs,
  }: { readonly promised: readonly LiveOutcome[]; readonly startedMs: number },
): Context {
  const late = performance.now() - startedMs >= LIMITS.originDeadlineMs;
  return { given, late, expected: late ? [...promised, 'unavailable'] : promised };
}

function judgeLine(answer: LineAnswer, truth: LineMeasure, context: Context): Finding[] {
  if (answer.status === 'unavailable') return unanswered(context, answer.line);
  const { rung } = answer.provenance;
  const { line: id, within, count } = answer;
  const what = `${id} ${rung}: within ${within}, count ${count}, distance ${answer.distanceM}`;
  const wanted = `within ${truth.within}, count ${truth.count}, distance ${truth.distanceM}`;
  if (!sameLine(answer, truth)) return [{ kind: 'false', detail: `${what}; true is ${wanted}` }];
  return answered(context, { rung, what });
}

/** Only the yes or no: distances and counts are what the register's own shapes make of them. */
function judgeWithin(
  answer: Extract<LineAnswer, { status: 'ok' }>,
  within: boolean,
  context: Context,
): Finding[] {
  const { rung } = answer.provenance;
  const what = `${answer.line} ${rung}: within ${answer.within}, as served ${within}`;
  return answer.within === within
    ? answered(context, { rung, what })
    : [{ kind: 'false', detail: what }];
}

function sameLine(answer: Extract<LineAnswer, { status: 'ok' }>, truth: LineMeasure): boolean {
  return (
    answer.within === truth.within &&
    answer.uncertain === truth.uncertain &&
    answer.count === truth.count &&
    near(answer.distanceM, truth.distanceM) &&
    answer.hit?.objectId === truth.hit?.objectId &&
    isDeepStrictEqual(answer.hit?.attributes, truth.hit?.attributes) &&
    answer.repealed.length === truth.repealed.length &&
    answer.repealed.every(({ objectId }) =>
      truth.repealed.some((other) => other.objectId === objectId),
    )
  );
}

/** Two engines agree to a millimetre; a live yes may come without a distance. */
function near(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b || (b !== null && b <= 0);
  return Math.abs(a - b) < 0.001;
}

function answered(
  { given, expected }: Context,
  { rung, what }: { readonly rung: string; readonly what: string },
): Finding[] {
  if (rung === 'store') return [];
  if (rung === 'stale') {
    const fine = given.copy === 'stale' && expected.includes('unavailable');
    return fine ? [] : [{ kind: 'off-table', detail: `a stale copy answered: ${what}` }];
  }
  return expected.includes('true')
    ? []
    : [{ kind: 'off-table', detail: `the register was believed: ${what}` }];
}

function unanswered({ given, expected }: Context, what: string): Finding[] {
  const detail = `${what} unavailable`;
  if (!expected.includes('unavailable')) return [{ kind: 'off-table', detail }];
  // A copy within its hard limit must have answered instead.
  return given.copy === 'stale' ? [{ kind: 'off-table', detail: `${detail} beside a copy` }] : [];
}

type AreaCase = StoredCase & { readonly layer: Theme };

async function askAreas(world: World, lane: Lane, given: AreaCase): Promise<Ended> {
  const promised = expectedOf(lane, given);
  const known = pickPoint(world.points, given);
  const lookup = { given, known, promised, startedMs: performance.now() };
  // Of a register that is believed, that it holds no such code is its own word.
  return given.byCode && !(given.row.byTotal === true && promised.includes('true'))
    ? await askByCode(world, lane, lookup)
    : await askAtPoint(world, lane, lookup);
}

interface AreaLookup {
  readonly given: AreaCase;
  readonly known: KnownPoint;
  readonly promised: readonly LiveOutcome[];
  readonly startedMs: number;
}

async function askByCode(world: World, lane: Lane, lookup: AreaLookup): Promise<Ended> {
  const { given, known } = lookup;
  const { signal } = new AbortController();
  const code = given.draw.pick(known.areas[given.layer]);
  const { value } = await lookups(world, lane, given).areas.find(given.layer, [code], { signal });
  const context = contextOf(given, lookup);
  const [answer = NO_ANSWER] = value;
  const truth = world.areas.get(`${given.layer} ${code}`);
  const outcome = answer instanceof FailureClass ? answer.type : answer.provenance.rung;
  return { outcome, late: context.late, findings: judgeArea(answer, { code, truth }, context) };
}

async function askAtPoint(world: World, lane: Lane, lookup: AreaLookup): Promise<Ended> {
  const { given, known } = lookup;
  const { layer, row, rules } = given;
  const { signal } = new AbortController();
  const { value } = await lookups(world, lane, given).reverseAreas.at([known.point], { signal });
  const context = contextOf(given, lookup);
  const { late } = context;
  const [answer = NO_ANSWER] = value;
  const outcome =
    answer instanceof FailureClass ? answer.type : rungOf(answer, THEMES.indexOf(layer));
  if (row.served !== true) {
    return { outcome, late, findings: judgeReverse(answer, known.areas, context) };
  }
  const served = { holdings: lane.upstream.holdings, layer, rules };
  const before = known.areas[layer];
  const codes = outcome === 'origin' ? servedAreas(served, known.point.utm32) : before;
  const truth = { ...known.areas, [layer]: codes };
  return { outcome, late, findings: judgeReverse(answer, truth, context) };
}

/** A list shorter than what was asked for reads as nothing there. */
const NO_ANSWER = new FailureClass('not_found');

function rungOf({ provenance }: ReverseAreasAnswer, theme: number): string {
  return provenance[theme]?.rung ?? 'none';
}

function judgeArea(
  answer: AreaAnswer | Failure,
  { code, truth }: { readonly code: string; readonly truth: KnownArea | undefined },
  context: Context,
): Finding[] {
  if (answer instanceof FailureClass) return judgeFailure(answer, context);
  if (answer.code !== code || answer.name !== truth?.name) {
    return [{ kind: 'false', detail: `${answer.code} ${answer.name} for ${code} ${truth?.name}` }];
  }
  return judgeGeometry(answer, truth, context);
}

function judgeGeometry(answer: AreaAnswer, truth: KnownArea, context: Context): Finding[] {
  const { given, expected } = context;
  const { rung } = answer.provenance;
  const what = `${answer.theme} ${answer.code} ${rung}`;
  if (rung === 'stale' && answer.geometry === null) {
    // D42: past its hard limit a copy tells the name and no geometry.
    const fine = given.copy === 'expired' && expected.includes('unavailable');
    return fine ? [] : [{ kind: 'off-table', detail: `only the name of ${what}` }];
  }
  if (answer.geometry === null) return [{ kind: 'empty', detail: `${what} without geometry` }];
  const served = given.row.served === true && rung === 'origin';
  if (!served && answer.geometry.json.crc32 !== truth.geometryCrc32) {
    return [{ kind: 'false', detail: `another geometry for ${what}` }];
  }
  return answered(context, { rung, what });
}

function judgeReverse(
  answer: ReverseAreasAnswer | Failure,
  known: KnownPoint['areas'],
  context: Context,
): Finding[] {
  if (answer instanceof FailureClass) return judgeFailure(answer, context);
  for (const theme of THEMES) {
    const codes = answer.areas.filter((area) => area.theme === theme).map(({ code }) => code);
    const truth = known[theme];
    if (codes.join() === truth.join()) continue;
    const kind = codes.length < truth.length ? 'empty' : 'false';
    return [{ kind, detail: `${theme}: ${codes.join() || 'none'}; true is ${truth.join()}` }];
  }
  const rung = rungOf(answer, THEMES.indexOf(context.given.layer as Theme));
  return answered(context, { rung, what: `${context.given.layer} ${rung}` });
}

function judgeFailure(failure: Failure, context: Context): Finding[] {
  const { message, cause, status } = failure;
  const told = `${status} ${message} ${cause instanceof Error ? cause.message : ''}`;
  if (told.includes(SECRET)) return [{ kind: 'leak', detail: told }];
  if (status === 404) return [{ kind: 'empty', detail: told }];
  if (status !== 503) return [{ kind: 'off-table', detail: told }];
  return unanswered(context, told);
}

/** Half the points are inside the line asked for: a false no is the fault that matters most. */
function pickPoint(points: readonly KnownPoint[], { layer, draw }: LiveCase): KnownPoint {
  if (!isLineKey(layer)) {
    return draw.pick(points.filter(({ areas }) => !isTheme(layer) || areas[layer].length > 0));
  }
  const within = points.filter(({ lines }) => lines[layer].within);
  const near = points.filter(({ lines }) => !lines[layer].within && lines[layer].count > 0);
  const far = points.filter(({ lines }) => lines[layer].count === 0);
  const order = draw.pick([within, within, within, near, near, far]);
  return draw.pick([order, within, near, far].find((some) => some.length > 0) ?? points);
}

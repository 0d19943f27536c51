/**
 * To mapped, encoded features in EPSG:25832. Pure; runs in a thread. An unreadable feature is an
 * issue, an unreadable page is refused.
 */
import { createHash } from 'node:crypto';
import { beat } from '../kernel/pulse.ts';
import type { Mapped, Mapping, UnreadUpcoming, FeatureFacts } from '../layers/feature.ts';
import { mergedKind, normalisedName, seenKind } from '../layers/contract.ts';
import type { SeenKind } from '../layers/contract.ts';
import { mappingOf } from '../layers/mappings/index.ts';
import { bringToUtm32 } from './crs.ts';
import { readGeoJson } from './geojson.ts';
import { readGml } from './gml.ts';
import { inspect } from './inspect.ts';
import type {
  DatedRow,
  EncodedFeature,
  PageInput,
  PageIssue,
  ParsedPage,
  UnreadAhead,
} from './page.ts';
import type { ReadFeature } from './read-feature.ts';
import { PageRefused } from './read-feature.ts';
import { placeOf } from './remains.ts';
import { RowCollector } from './whole.ts';
import { encodeWkb } from './wkb.ts';

export interface PageBytesInput extends PageInput {
  readonly bytes: Uint8Array;
}

/**
 * Features, skipped and issues together are the members, each exactly once. Throws PageRefused.
 * Reads GML or GeoJSON by the bytes, whatever was requested.
 */
export function parsePage(input: PageBytesInput): ParsedPage {
  const envelope = inspect(input.bytes);
  if (envelope.kind !== 'features') {
    throw new PageRefused('not a whole feature collection');
  }
  const read =
    envelope.format === 'gml'
      ? readGml(input.bytes, { geometryProperty: input.geometryProperty, envelope })
      : readGeoJson(input.bytes, { srsName: input.srsName, envelope });
  if (input.mayRepeatIds !== true) checkIdentifiers(read);
  const { members, numberMatched, numberReturned } = envelope;
  const mapped = mapFeatures(read, input, envelope.format === 'geojson');
  return { members, numberMatched, numberReturned, ...mapped };
}

/** Identifiers are unique in a document: a duplicate has displaced another feature. */
function checkIdentifiers(read: readonly ReadFeature[]): void {
  const seen = new Set<string>();
  for (const { id } of read) {
    if (id === null || id === undefined) continue;
    if (seen.has(id)) throw new PageRefused(`the feature ${id.slice(0, 80)} is there twice`);
    seen.add(id);
  }
}

type MappedPage = Omit<ParsedPage, 'members' | 'numberMatched' | 'numberReturned'>;

/** `typed`: values have the source's types; GML has only text. */
export function mapFeatures(
  read: readonly ReadFeature[],
  input: PageInput,
  typed: boolean,
): MappedPage {
  const map = mappingOf(input.mapping, input);
  const features: EncodedFeature[] = [];
  const issues: PageIssue[] = [];
  const skipped: Record<string, number> = {};
  const doubts: Record<string, number> = {};
  const columns = new ColumnsSeen(typed);
  const rows = new RowCollector(input.keyProperty);
  const dated: DatedRow[] = [];
  const unreadAhead: UnreadAhead[] = [];
  let nextChangeMs: number | null = null;
  for (const feature of read) {
    beat();
    columns.add(feature.properties);
    const outcome = featureOf(feature, map, input);
    if (outcome.dated !== undefined) dated.push(outcome.dated);
    if (outcome.unreadAhead !== undefined) unreadAhead.push(outcome.unreadAhead);
    rows.add(feature.properties, contentOf(outcome));
    if (outcome.kind === 'skipped') {
      skipped[outcome.reason] = (skipped[outcome.reason] ?? 0) + 1;
    } else if (outcome.kind === 'issue') issues.push(outcome.issue);
    else {
      features.push(outcome.feature);
      if (outcome.doubt !== null) doubts[outcome.doubt] = (doubts[outcome.doubt] ?? 0) + 1;
    }
    nextChangeMs = earlier(nextChangeMs, outcome.changesAtMs ?? null);
  }
  return {
    features,
    skipped,
    issues,
    doubts,
    rows: { keys: rows.keys, sum: rows.sum },
    columns: columns.seen,
    nextChangeMs,
    dated,
    unreadAhead,
  };
}

/** Names repeat, so each is normalised once. */
class ColumnsSeen {
  readonly seen: Record<string, SeenKind> = {};
  readonly #names = new Map<string, string>();
  readonly #typed: boolean;

  constructor(typed: boolean) {
    this.#typed = typed;
  }

  add(properties: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(properties)) {
      let normalised = this.#names.get(name);
      if (normalised === undefined) {
        normalised = normalisedName(name);
        this.#names.set(name, normalised);
      }
      const kind = this.#typed ? seenKind(properties[name]) : 'untyped';
      this.seen[normalised] = mergedKind(this.seen[normalised], kind);
    }
  }
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

type Outcome = {
  readonly changesAtMs?: number | null;
  readonly dated?: DatedRow;
  readonly unreadAhead?: UnreadAhead;
} & (
  | { readonly kind: 'feature'; readonly feature: EncodedFeature; readonly doubt: string | null }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'issue'; readonly issue: PageIssue }
);

function contentOf(outcome: Outcome): Uint8Array | string {
  switch (outcome.kind) {
    case 'feature':
      return outcome.feature.hash;
    case 'skipped':
      return outcome.reason;
    case 'issue':
      return JSON.stringify(outcome.issue);
  }
}

/** The mapping comes first: a row outside the mirror needs no geometry. */
function featureOf(read: ReadFeature, map: Mapping, input: PageInput): Outcome {
  const mapped = map(read.properties);
  if (mapped.kind === 'issue') {
    const { key, reason } = mapped;
    return { kind: 'issue', issue: { key, objectId: null, reason, ...leftOf(read, input) } };
  }
  if (mapped.kind === 'skipped') return skippedOf(mapped, read, input);
  const wkb = geometryOf(read, input);
  const { key, objectId, changesAtMs = null, doubt = null } = mapped;
  if (typeof wkb === 'string') {
    const issue = { key, objectId, reason: wkb, ...leftOf(read, input) };
    return { kind: 'issue', issue };
  }
  return {
    kind: 'feature',
    feature: encoded(mapped, wkb),
    changesAtMs,
    doubt,
    ...(changesAtMs !== null && {
      dated: { key, beginsAtMs: null, endsAtMs: changesAtMs, feature: null },
    }),
  };
}

function leftOf(read: ReadFeature, { srsName }: PageInput): Pick<PageIssue, 'place' | 'raw'> {
  const remains = read.remains?.();
  if (remains === undefined) return { place: null, raw: '' };
  return { place: placeOf(remains, srsName), raw: remains.raw };
}

/** A future row is encoded as it will be mirrored, so its hash will be equal. */
function skippedOf(
  { upcoming, ...skipped }: Extract<ReturnType<Mapping>, { kind: 'skipped' }>,
  read: ReadFeature,
  input: PageInput,
): Outcome {
  if (upcoming === undefined) return skipped;
  if ('fault' in upcoming)
    return unreadAheadOf(skipped, { ...upcoming, objectId: null }, leftOf(read, input));
  const wkb = geometryOf(read, input);
  if (typeof wkb === 'string') {
    return unreadAheadOf(skipped, { ...upcoming, fault: wkb }, leftOf(read, input));
  }
  const { key, beginsAtMs, endsAtMs } = upcoming;
  return { ...skipped, dated: { key, beginsAtMs, endsAtMs, feature: encoded(upcoming, wkb) } };
}

/** No reason to refuse the present, but from its day its place is unanswered. */
function unreadAheadOf(
  skipped: Extract<Outcome, { kind: 'skipped' }>,
  { key, objectId, beginsAtMs, fault }: UnreadUpcoming & Pick<PageIssue, 'objectId'>,
  left: Pick<PageIssue, 'place' | 'raw'>,
): Outcome {
  return {
    ...skipped,
    reason: `${skipped.reason}, unreadable`,
    unreadAhead: { key, objectId, beginsAtMs, reason: fault, ...left },
  };
}

function encoded(
  { key, objectId, standing, adopted, ...mapped }: Omit<MappedFeature, 'kind'>,
  wkb: Uint8Array<ArrayBuffer>,
): EncodedFeature {
  const attributes = canonicalJson(mapped.attributes);
  const hash = hashOf({ standing, adopted, attributes, objectId }, wkb);
  return { key, objectId, standing, adopted, attributes, wkb, hash };
}

function geometryOf(read: ReadFeature, input: PageInput): Uint8Array<ArrayBuffer> | string {
  if (read.refused !== null) return read.refused;
  if (read.geometry === null) return 'no geometry';
  const fault = bringToUtm32(read.geometry, read.crs ?? input.srsName);
  if (fault !== null) return fault;
  const wkb = encodeWkb(read.geometry, input.geometryKind);
  return 'refused' in wkb ? wkb.refused : wkb;
}

type MappedFeature = Extract<Mapped<unknown>, { kind: 'feature' }>;

/** Keys sorted, no white space: equal attributes give equal text. */
function canonicalJson(attributes: MappedFeature['attributes']): string {
  const entries = Object.entries(attributes as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function hashOf(
  fields: Omit<FeatureFacts<string>, 'key'>,
  wkb: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { standing, adopted, attributes, objectId } = fields;
  const digest = createHash('sha256')
    .update(JSON.stringify([standing, adopted, objectId, attributes]))
    .update(wkb)
    .digest();
  return new Uint8Array(digest);
}

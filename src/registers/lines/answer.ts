/**
 * Most of a line repeats in every answer, and most lines have nothing near: those parts are
 * memoized.
 */
import type { Catalogue, LineLayer } from '../../layers/catalogue.ts';
import type { LineAttributes } from '../../layers/feature.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import type {
  BuildingLinesAnswer,
  FeatureHit,
  LineAnswer,
  MeasuredLine,
  Provenance,
} from '../../answers/answer.ts';
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import type { BatchAnswer } from '../../answers/batch-writer.ts';
import { constant, jsonText } from '../../answers/json-writer.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import { distanceText, roundedText } from '../../answers/numbers.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

export interface LineLabels {
  readonly lines: Readonly<Record<LineKey, LineDescription>>;
  readonly sourceName: string;
}

interface LineDescription extends Pick<LineLayer, 'id' | 'name' | 'provision' | 'geometry'> {
  readonly source: Pick<LineLayer['source'], 'typeName' | 'url'>;
}

/** Only these values, because they are passed to threads. */
export function lineLabels({ lines }: Catalogue, sourceName: string): LineLabels {
  const described = LINE_KEYS.map((key) => {
    const { id, name, provision, geometry, source } = lines[key];
    const { typeName, url } = source;
    return [key, { id, name, provision, geometry, source: { typeName, url } }] as const;
  });
  return { lines: Object.fromEntries(described) as LineLabels['lines'], sourceName };
}

type LinePieces = ReturnType<typeof piecesOf>;

export class LineRenderer {
  readonly #pieces: readonly LinePieces[];
  readonly #forest: LinePieces;
  readonly #meta: Uint8Array;
  readonly sourceName: string;

  constructor({ lines, sourceName }: LineLabels) {
    this.#pieces = LINE_KEYS.map((key) => piecesOf(lines[key]));
    this.#forest = piecesOf(lines.skov);
    this.sourceName = sourceName;
    this.#meta = constant(`"meta":${JSON.stringify(renderMeta(sourceName))}}`);
  }

  /** All keys in the order of D20. Throws when a line is missing. */
  writeAll(out: JsonWriter, answer: BuildingLinesAnswer): void {
    let within = 0;
    let unavailable = '';
    writeHead(out, answer);
    out.bytes(LINES);
    for (const [i, pieces] of this.#pieces.entries()) {
      const { key } = pieces;
      const line = lineOf(answer, key, i);
      if (i > 0) out.ascii(',');
      writeLine(out, line, pieces);
      if (line.status === 'unavailable') unavailable += `${unavailable === '' ? '' : ','}"${key}"`;
      else if (line.within) within += 1;
    }
    out.bytes(IN_FORCE).whole(within).bytes(UNAVAILABLE);
    out.ascii(unavailable).ascii('],').bytes(this.#meta);
  }

  writeForest(out: JsonWriter, answer: BuildingLinesAnswer): void {
    writeHead(out, answer);
    writeLine(out, lineOf(answer, 'skov', 0), this.#forest);
    out.ascii(',').bytes(this.#meta);
  }
}

function writeLine(out: JsonWriter, answer: LineAnswer, pieces: LinePieces): void {
  if (answer.status === 'unavailable') out.bytes(pieces.unavailable);
  else if (isClear(answer)) out.bytes(pieces.clear);
  else if (isNear(answer)) writeNear(out, answer, pieces);
  else writeMeasured(out, answer, pieces);
}

export function linesBatch(
  renderer: LineRenderer,
  { items, answers }: Pick<BatchAnswer<BuildingLinesAnswer>, 'items' | 'answers'>,
): BatchAnswer<BuildingLinesAnswer> {
  return {
    items,
    answers,
    write: (out, answer) => {
      out.ascii(',"byggelinjer":');
      renderer.writeAll(out, answer);
    },
    meta: renderMeta(renderer.sourceName),
  };
}

const LINES = constant('"linjer":{');
const IN_FORCE = constant('},"antal_i_kraft":');
const UNAVAILABLE = constant(',"utilgaengelige":[');

export function renderMeta(sourceName: string) {
  return { kilde: sourceName, service_version: SERVICE_VERSION };
}

export function factsOf(answers: readonly BuildingLinesAnswer[], generation: number): AnswerFacts {
  const [first] = answers;
  if (answers.length === 1 && first !== undefined && isOfLast(first, generation)) return lastFacts;
  lastFacts = gatherFacts(answers, generation);
  return lastFacts;
}

/** Consecutive answers usually share their copies. */
let lastFacts: AnswerFacts = { generation: -1, provenance: [] };

function isOfLast({ lines }: BuildingLinesAnswer, generation: number): boolean {
  const { provenance } = lastFacts;
  if (generation !== lastFacts.generation || lines.length !== provenance.length) return false;
  return lines.every((line, i) => line.status === 'ok' && line.provenance === provenance[i]);
}

function gatherFacts(answers: readonly BuildingLinesAnswer[], generation: number): AnswerFacts {
  const provenance: Provenance[] = [];
  let stale: Set<LineKey> | null = null;
  let last: readonly LineAnswer[] = [];
  for (const { lines } of answers) {
    for (const [i, line] of lines.entries()) {
      if (line.status !== 'ok') continue;
      // Points of a batch share their provenance, so it is reported once.
      const before = last[i];
      if (before?.status === 'ok' && before.provenance === line.provenance) continue;
      provenance.push(line.provenance);
      if (line.provenance.rung === 'stale') (stale ??= new Set()).add(line.line);
    }
    last = lines;
  }
  return {
    generation,
    provenance,
    staleLines: stale === null ? NO_LINES : LINE_KEYS.filter((key) => stale.has(key)),
  };
}

const NO_LINES: readonly LineKey[] = [];

function piecesOf(layer: LineDescription) {
  const description = JSON.stringify({
    navn: layer.name,
    hjemmel: layer.provision,
    geometri: layer.geometry === 'area' ? 'flade' : 'linje',
  }).slice(0, -1);
  // D32: the URL without query string, so without key.
  const source = JSON.stringify({ lag: layer.source.typeName, wfs: layer.source.url });
  const start = `${JSON.stringify(layer.id)}:${description}`;
  const ok = `${start},"status":"ok","inden_for":`;
  const tail = `,"kilde":${source}}`;
  return {
    key: layer.id,
    head: constant(ok),
    nearHead: constant(`${ok}false,"usikker":false,"afstand_m":`),
    tail: constant(tail),
    nearTail: constant(`${NO_FEATURES}${tail}`),
    clear: constant(`${ok}false,${NOTHING_NEAR}${tail}`),
    // Here `antal` 0 and `usikker` false mean nothing: the contract has no null for them.
    unavailable: constant(
      `${start},"status":"utilgaengelig","inden_for":null,${NOTHING_NEAR}${tail}`,
    ),
  };
}

const NO_FEATURES = ',"traef":null,"ophaevede":[]';
const NOTHING_NEAR = `"usikker":false,"afstand_m":null,"antal":0${NO_FEATURES}`;
const COUNT = constant(',"antal":');

function isClear({ within, count, distanceM: distance, repealed }: MeasuredLine): boolean {
  return !within && count === 0 && distance === null && repealed.length === 0;
}

function isNear({ within, uncertain, hit, repealed }: MeasuredLine): boolean {
  return !within && !uncertain && hit === null && repealed.length === 0;
}

function writeNear(out: JsonWriter, answer: MeasuredLine, pieces: LinePieces): void {
  const { distanceM, count } = answer;
  out.bytes(pieces.nearHead);
  if (distanceM === null) out.ascii('null');
  else out.rounded(distanceM, 1);
  out.bytes(COUNT).whole(count).bytes(pieces.nearTail);
}

function writeMeasured(out: JsonWriter, answer: MeasuredLine, { head, tail }: LinePieces): void {
  const { within, uncertain, count, hit, repealed } = answer;
  const measured =
    `${within},"usikker":${uncertain},"afstand_m":${distanceText(answer.distanceM)}` +
    `,"antal":${count},"traef":`;
  const others = repealed.map(
    (feature) => `${hitText(feature)},"afstand_m":${roundedText(feature.distanceM, 1)}}`,
  );
  const chosen = hit === null ? 'null' : `${hitText(hit)}}`;
  out
    .bytes(head)
    .text(`${measured}${chosen},"ophaevede":[${others.join(',')}]`)
    .bytes(tail);
}

const LON = constant('{"punkt":{"lon":');
const LAT = constant(',"lat":');
const METRES = constant('},"epsg25832":');
const RADIUS = constant(',"soegeradius_m":');

function writeHead(out: JsonWriter, { point, searchRadiusM }: BuildingLinesAnswer): void {
  const { lon, lat } = point.wgs84;
  out.bytes(LON).decimal(lon).bytes(LAT).decimal(lat).bytes(METRES);
  out.metres(point.utm32).bytes(RADIUS).ascii(String(searchRadiusM)).ascii(',');
}

function lineOf(answer: BuildingLinesAnswer, key: LineKey, at: number): LineAnswer {
  const here = answer.lines[at];
  const found = here?.line === key ? here : answer.lines.find(({ line }) => line === key);
  if (found === undefined) throw new Error(`The lookup left out the line ${key}.`);
  return found;
}

function hitText({ objectId, inForce, attributes, areaM2 }: FeatureHit): string {
  const { statusCode, statusName, municipalityName, municipalityCvr } = attributes;
  return (
    `{"objekt_id":${jsonText(objectId)},"i_kraft":${inForce}` +
    `,"status":{"kode":${jsonText(statusCode)},"navn":${jsonText(statusName)}}` +
    `,"kategori":${jsonText(attributes.category)}` +
    `,"naturtype":${jsonText(attributes.natureType)}${detailsText(attributes)}` +
    `,"areal_m2":${areaM2 === null ? 'null' : roundedText(areaM2, 1)}` +
    `,"gaeldende_fra":${jsonText(attributes.validFrom)}` +
    `,"registreret":${jsonText(attributes.registeredAt)}` +
    `,"kommune":{"navn":${jsonText(municipalityName)},"cvr_kode":${jsonText(municipalityCvr)}}`
  );
}

/** Only monuments and dykes have these. */
function detailsText({
  protectionReason,
  monumentType,
  dating,
  protectionStatus,
  dykeType,
  documentUrl,
}: LineAttributes): string {
  const isOfMonument = protectionReason !== null || monumentType !== null || dating !== null;
  if (!isOfMonument && protectionStatus === null && dykeType === null && documentUrl === null) {
    return NO_DETAILS;
  }
  return (
    `,"beskyttelsesaarsag":${jsonText(protectionReason)}` +
    `,"anlaegstype":${jsonText(monumentType)}` +
    `,"datering":${jsonText(dating)}` +
    `,"fredningsstatus":${jsonText(protectionStatus)}` +
    `,"digetype":${jsonText(dykeType)}` +
    `,"dokument_url":${jsonText(documentUrl)}`
  );
}

const NO_DETAILS =
  ',"beskyttelsesaarsag":null,"anlaegstype":null,"datering":null' +
  ',"fredningsstatus":null,"digetype":null,"dokument_url":null';

export interface WrittenLines {
  readonly renderer: LineRenderer;
  readonly sharedLabels: Uint8Array<SharedArrayBuffer>;
}

export function writtenWith(labels: LineLabels): WrittenLines {
  const bytes = Buffer.from(JSON.stringify(labels), 'utf8');
  const sharedLabels = new Uint8Array(new SharedArrayBuffer(bytes.length));
  sharedLabels.set(bytes);
  return { renderer: new LineRenderer(labels), sharedLabels };
}

/**
 * Building lines in the words of the document, laid out as bytes: of a line most is the same in every
 * answer (name, provision, source), and of an answer most lines have nothing near.
 */
import type { Catalogue, LineLayer } from '../../../layers/catalogue.ts';
import { LINE_KEYS } from '../../../layers/keys.ts';
import type { LineKey } from '../../../layers/keys.ts';
import type {
  BuildingLinesAnswer,
  FeatureHit,
  LineAnswer,
  MeasuredLine,
  Provenance,
} from '../../../lookups/answers.ts';
import { SERVICE_VERSION } from '../../options.ts';
import { constant } from '../../wire/json-writer.ts';
import type { JsonWriter } from '../../wire/json-writer.ts';
import { distanceText, epsg25832Text, roundTo } from '../../wire/numbers.ts';
import type { AnswerFacts } from '../../wire/provenance.ts';

export interface LineRendering {
  readonly catalogue: Catalogue;
  readonly sourceName: string;
}

/** What of a line is the same in every answer. */
interface LinePieces {
  /** `"key":` */
  readonly key: Uint8Array;
  /** From `{` to `"inden_for":`. */
  readonly head: Uint8Array;
  /** From `,"kilde":` to `}`. */
  readonly tail: Uint8Array;
  /** The whole line with nothing near, and the whole line that nothing could answer. */
  readonly clear: Uint8Array;
  readonly unavailable: Uint8Array;
}

export class LineRenderer {
  readonly #pieces: Readonly<Record<LineKey, LinePieces>>;
  readonly #meta: Uint8Array;

  constructor({ catalogue, sourceName }: LineRendering) {
    const pieces = LINE_KEYS.map((key) => [key, piecesOf(catalogue.lines[key])] as const);
    this.#pieces = Object.fromEntries(pieces) as Record<LineKey, LinePieces>;
    this.#meta = constant(`"meta":${JSON.stringify(renderMeta(sourceName))}}`);
  }

  /** All ten keys in the order of D20; a line missing from the answer is a programmer's mistake. */
  writeAll(out: JsonWriter, answer: BuildingLinesAnswer): void {
    let within = 0;
    let unavailable = '';
    writeHead(out, answer);
    out.bytes(LINES);
    for (const [i, key] of LINE_KEYS.entries()) {
      const line = lineOf(answer, key, i);
      if (i > 0) out.ascii(',');
      out.bytes(this.#pieces[key].key);
      this.#writeLine(out, line);
      if (line.status === 'unavailable') unavailable += `${unavailable === '' ? '' : ','}"${key}"`;
      else if (line.within) within += 1;
    }
    out.ascii(`},"antal_i_kraft":${within},"utilgaengelige":[${unavailable}],`).bytes(this.#meta);
  }

  writeForest(out: JsonWriter, answer: BuildingLinesAnswer): void {
    writeHead(out, answer);
    out.bytes(this.#pieces.skov.key);
    this.#writeLine(out, lineOf(answer, 'skov', 0));
    out.ascii(',').bytes(this.#meta);
  }

  #writeLine(out: JsonWriter, answer: LineAnswer): void {
    const pieces = this.#pieces[answer.line];
    if (answer.status === 'unavailable') out.bytes(pieces.unavailable);
    else if (isClear(answer)) out.bytes(pieces.clear);
    else writeMeasured(out, answer, pieces);
  }
}

const LINES = constant('"linjer":{');

export function renderMeta(sourceName: string) {
  return { kilde: sourceName, service_version: SERVICE_VERSION };
}

/** What the headers say of one or several answers of one generation. */
export function factsOf(answers: readonly BuildingLinesAnswer[], generation: number): AnswerFacts {
  const provenance: Provenance[] = [];
  const stale = new Set<LineKey>();
  let last: readonly LineAnswer[] = [];
  for (const { lines } of answers) {
    for (const [i, line] of lines.entries()) {
      if (line.status !== 'ok') continue;
      // Points of a batch share what they came from: told once.
      const before = last[i];
      if (before?.status === 'ok' && before.provenance === line.provenance) continue;
      provenance.push(line.provenance);
      if (line.provenance.rung === 'stale') stale.add(line.line);
    }
    last = lines;
  }
  return { generation, provenance, staleLines: LINE_KEYS.filter((key) => stale.has(key)) };
}

function piecesOf(layer: LineLayer): LinePieces {
  const description = JSON.stringify({
    navn: layer.name,
    hjemmel: layer.provision,
    geometri: layer.geometry === 'area' ? 'flade' : 'linje',
  }).slice(0, -1);
  // D32: the address without query string, so without key.
  const source = JSON.stringify({ lag: layer.source.typeName, wfs: layer.source.url });
  const ok = `${description},"status":"ok","inden_for":`;
  const tail = `,"kilde":${source}}`;
  return {
    key: constant(`${JSON.stringify(layer.id)}:`),
    head: constant(ok),
    tail: constant(tail),
    clear: constant(`${ok}false,${NOTHING_NEAR}${tail}`),
    // `antal` 0 and `usikker` false qualify nothing here: the contract has no null for them.
    unavailable: constant(
      `${description},"status":"utilgaengelig","inden_for":null,${NOTHING_NEAR}${tail}`,
    ),
  };
}

const NOTHING_NEAR = '"usikker":false,"afstand_m":null,"antal":0,"traef":null,"ophaevede":[]';

function isClear({ within, count, distanceM: distance, repealed }: MeasuredLine): boolean {
  return !within && count === 0 && distance === null && repealed.length === 0;
}

function writeMeasured(out: JsonWriter, answer: MeasuredLine, { head, tail }: LinePieces): void {
  const { within, uncertain, count, hit, repealed } = answer;
  const measured =
    `${within},"usikker":${uncertain},"afstand_m":${distanceText(answer.distanceM)}` +
    `,"antal":${count},"traef":`;
  out.bytes(head);
  if (hit === null && repealed.length === 0) {
    out.ascii(`${measured}null,"ophaevede":[]`);
  } else {
    const others = repealed.map((feature) =>
      JSON.stringify({ ...renderHit(feature), afstand_m: roundTo(feature.distanceM, 1) }),
    );
    const chosen = hit === null ? 'null' : JSON.stringify(renderHit(hit));
    out.text(`${measured}${chosen},"ophaevede":[${others.join(',')}]`);
  }
  out.bytes(tail);
}

/** From `{` to the comma after `soegeradius_m`. */
function writeHead(out: JsonWriter, { point, searchRadiusM }: BuildingLinesAnswer): void {
  const { lon, lat } = point.wgs84;
  out.ascii(
    `{"punkt":{"lon":${lon},"lat":${lat}},"epsg25832":${epsg25832Text(point)},` +
      `"soegeradius_m":${searchRadiusM},`,
  );
}

function lineOf(answer: BuildingLinesAnswer, key: LineKey, at: number): LineAnswer {
  const here = answer.lines[at];
  const found = here?.line === key ? here : answer.lines.find(({ line }) => line === key);
  if (found === undefined) throw new Error(`The lookup left out the line ${key}.`);
  return found;
}

function renderHit({ objectId, inForce, attributes, areaM2 }: FeatureHit) {
  return {
    objekt_id: objectId,
    i_kraft: inForce,
    status: { kode: attributes.statusCode, navn: attributes.statusName },
    kategori: attributes.category,
    naturtype: attributes.natureType,
    beskyttelsesaarsag: attributes.protectionReason,
    anlaegstype: attributes.monumentType,
    datering: attributes.dating,
    fredningsstatus: attributes.protectionStatus,
    digetype: attributes.dykeType,
    dokument_url: attributes.documentUrl,
    areal_m2: areaM2 === null ? null : roundTo(areaM2, 1),
    gaeldende_fra: attributes.validFrom,
    registreret: attributes.registeredAt,
    kommune: { navn: attributes.municipalityName, cvr_kode: attributes.municipalityCvr },
  };
}

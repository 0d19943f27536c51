/** Building lines in the words of the document. */
import type { Catalogue, LineLayer } from '../../../layers/catalogue.ts';
import { LINE_KEYS } from '../../../layers/keys.ts';
import type { LineKey } from '../../../layers/keys.ts';
import type {
  BuildingLinesAnswer,
  FeatureHit,
  LineAnswer,
  MeasuredLine,
} from '../../../lookups/answers.ts';
import { SERVICE_VERSION } from '../../options.ts';
import { distanceM, epsg25832, roundTo } from '../../wire/numbers.ts';
import type { AnswerFacts } from '../../wire/provenance.ts';

export interface LineRendering {
  readonly catalogue: Catalogue;
  readonly sourceName: string;
}

/** All ten keys in the order of D20; a line missing from the answer is a programmer's mistake. */
export function renderBuildingLines(answer: BuildingLinesAnswer, rendering: LineRendering) {
  const lines = LINE_KEYS.map((key) => lineOf(answer, key));
  return {
    ...head(answer),
    linjer: Object.fromEntries(lines.map((line) => [line.line, renderLine(line, rendering)])),
    antal_i_kraft: lines.filter((line) => line.status === 'ok' && line.within).length,
    utilgaengelige: lines.filter((line) => line.status === 'unavailable').map(({ line }) => line),
    meta: renderMeta(rendering.sourceName),
  };
}

export function renderForestLine(answer: BuildingLinesAnswer, rendering: LineRendering) {
  return {
    ...head(answer),
    skov: renderLine(lineOf(answer, 'skov'), rendering),
    meta: renderMeta(rendering.sourceName),
  };
}

export function renderMeta(sourceName: string) {
  return { kilde: sourceName, service_version: SERVICE_VERSION };
}

/** What the headers say of one or several answers of one generation. */
export function factsOf(answers: readonly BuildingLinesAnswer[], generation: number): AnswerFacts {
  const measured = answers.flatMap(({ lines }) =>
    lines.filter((line): line is MeasuredLine => line.status === 'ok'),
  );
  const stale = new Set(
    measured.filter((line) => line.provenance.rung === 'stale').map(({ line }) => line),
  );
  return {
    generation,
    provenance: measured.map((line) => line.provenance),
    staleLines: LINE_KEYS.filter((key) => stale.has(key)),
  };
}

function head({ point, searchRadiusM }: BuildingLinesAnswer) {
  return {
    punkt: { lon: point.wgs84.lon, lat: point.wgs84.lat },
    epsg25832: epsg25832(point),
    soegeradius_m: searchRadiusM,
  };
}

function lineOf(answer: BuildingLinesAnswer, key: LineKey): LineAnswer {
  const found = answer.lines.find(({ line }) => line === key);
  if (found === undefined) throw new Error(`The lookup left out the line ${key}.`);
  return found;
}

function renderLine(answer: LineAnswer, { catalogue }: LineRendering) {
  const layer = catalogue.lines[answer.line];
  return answer.status === 'ok' ? renderMeasured(answer, layer) : renderUnavailable(layer);
}

function renderMeasured(answer: MeasuredLine, layer: LineLayer) {
  return {
    ...description(layer),
    status: 'ok',
    inden_for: answer.within,
    usikker: answer.uncertain,
    afstand_m: distanceM(answer.distanceM),
    antal: answer.count,
    traef: answer.hit === null ? null : renderHit(answer.hit),
    ophaevede: answer.repealed.map((hit) => ({
      ...renderHit(hit),
      afstand_m: roundTo(hit.distanceM, 1),
    })),
    kilde: renderSource(layer),
  };
}

/** `antal` 0 and `usikker` false qualify nothing here: the contract has no null for them. */
function renderUnavailable(layer: LineLayer) {
  return {
    ...description(layer),
    status: 'utilgaengelig',
    inden_for: null,
    usikker: false,
    afstand_m: null,
    antal: 0,
    traef: null,
    ophaevede: [],
    kilde: renderSource(layer),
  };
}

function description(layer: LineLayer) {
  return {
    navn: layer.name,
    hjemmel: layer.provision,
    geometri: layer.geometry === 'area' ? 'flade' : 'linje',
  };
}

/** D32: the address without query string, so without key. */
function renderSource({ source }: LineLayer) {
  return { lag: source.typeName, wfs: source.url };
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

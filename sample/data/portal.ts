/** The common attributes of the portal's seven layers, with the encodings seen in its exports. */
import { localName } from '../hosts.ts';
import type { SampleFeature, SampleProperties, SampleValue } from './feature.ts';
import type { SampleGeometry } from './geometry.ts';
import { areaOf, at } from './geometry.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import type { CodeStyle, PortalLayer, PortalStyle, TimeStyle } from './schemas.ts';
import { PORTAL_STYLES, schemaOf } from './schemas.ts';

/** A code with its text. */
export type Code = readonly [code: number, text: string];

export const STATUS = {
  unknown: [0, 'Ukendt'],
  draft: [1, 'Kladde'],
  proposed: [2, 'Forslag'],
  adopted: [3, 'Gældende / Vedtaget'],
  cancelled: [4, 'Ikke gældende / Aflyst'],
} as const satisfies Record<string, Code>;

const VISIBILITY: readonly Code[] = [
  [1, 'Synlig for alle'],
  [2, 'Synlig for den ansvarlige myndighed'],
  [3, 'Synlig for alle myndigheder, men ikke offentligheden'],
];

const ORIGINS: readonly Code[] = [
  [0, 'Ikke udfyldt'],
  [1, 'Ortofoto'],
  [2, 'Matrikelkort'],
  [7, 'Felt-/markbesøg'],
];

const CHANGE_REASONS: readonly Code[] = [
  [0, 'Ikke udfyldt'],
  [1, 'Besigtigelse'],
  [2, 'Teknisk rettelse'],
  [4, 'Generel ajourføring'],
];

export const REPEAL_REASONS = {
  none: [0, 'Ikke udfyldt'],
  town: [1, 'Bymæssig bebyggelse før 1972'],
  state: [2, 'Statslig afgørelse'],
} as const satisfies Record<string, Code>;

/** Reporting authorities, invented; the case of the names is as uneven as in the register. */
const AUTHORITIES: readonly Code[] = [
  [99_990_091, 'Prøveholm kommune (opdigtet)'],
  [99_990_091, 'Prøveholm Kommune (opdigtet)'],
  [99_990_092, 'ringkilde kommune (opdigtet)'],
  [99_990_093, 'Midtby Kommune (opdigtet)'],
  [99_990_094, 'Østerprøve kommune (opdigtet)'],
  [99_999_999, 'Ukendt'],
];
/** The dykes are kept by an agency, not by a municipality. */
const AGENCY: Code = [99_990_001, 'Prøvestyrelsen (opdigtet)'];

/** Only http and https may be handed on; the rest is what people type into such a field. */
const LINKS: readonly (string | null)[] = [
  null,
  null,
  null,
  'https://dokumenter.example.org/opdigtet/afgoerelse.pdf',
  'http://dokumenter.example.org/opdigtet/kort.pdf',
  '',
  'file:///S:/Sager/opdigtet.pdf',
  'javascript:alert(1)',
  'dokumenter.example.org/uden-skema.pdf',
];

export interface PortalPlan {
  /** Distinguishes features of one layer: identifiers are derived from it and nothing else. */
  readonly name: string;
  readonly geometry: SampleGeometry | null;
  readonly status?: Code;
  /** 1 visible to all; 2 and 3 must not be mirrored. */
  readonly visibility?: 1 | 2 | 3;
  /** A version that has ended: must not be mirrored. */
  readonly ended?: boolean;
  /** Attributes of the layer's own; codes as `coded` writes them. */
  readonly own?: SampleProperties;
}

/** A code in the layer's style (3, "3", 3.0 or "3.0") and its text, as two attributes. */
export function coded(
  layer: PortalLayer,
  [codeName, textName]: readonly [string, string],
  [code, text]: Code,
): SampleProperties {
  return { [codeName]: styledCode(PORTAL_STYLES[layer].codes, code), [textName]: text };
}

/** `objekt-id` of the feature planned under a name: what the examples refer to. */
export function objectIdOf(layer: PortalLayer, name: string): string {
  return createRandom(`${layer}/${name}/object`).uuid();
}

/** A feature of a portal layer: common attributes filled in, in the order of the schema. */
export function portalFeature(layer: PortalLayer, plan: PortalPlan): SampleFeature {
  const random = createRandom(`${layer}/${plan.name}/attributes`);
  const objectId = objectIdOf(layer, plan.name);
  const values: SampleProperties = {
    ...commonValues(layer, plan, random),
    Objekt_id: objectId,
    Shape_area: plan.geometry === null ? 0 : Math.round(areaOf(plan.geometry) * 100) / 100,
    // As seen in every real row.
    Shape_length: { raw: '0.0' },
    ...plan.own,
  };
  const ordered = Object.keys(schemaOf(layer)).map((key) => [key, values[key] ?? null] as const);
  return {
    id: `${localName(layer)}.${objectId}`,
    properties: Object.fromEntries(ordered),
    geometry: plan.geometry,
  };
}

function commonValues(layer: PortalLayer, plan: PortalPlan, random: Random): SampleProperties {
  const { theme, times }: PortalStyle = PORTAL_STYLES[layer];
  const origin = random.pick(ORIGINS);
  const authority = layer === 'dige' ? AGENCY : random.pick(AUTHORITIES);
  const change = random.pick(CHANGE_REASONS);
  const created = random.chance(0.15) ? unknownTime(times) : timeText(times, random, [2004, 2012]);
  return {
    ...coded(layer, ['Temakode', 'Temanavn'], theme),
    Version_id: random.uuid(),
    Systid_fra: timeText(times, random, [2013, 2024]),
    Systid_til: plan.ended === true ? timeText(times, random, [2025, 2025]) : null,
    Oprettet: created,
    ...coded(layer, ['Oprindkode', 'Oprindelse'], origin),
    ...coded(layer, ['Statuskode', 'Status'], plan.status ?? STATUS.adopted),
    ...coded(layer, ['Off_kode', 'Offentlig'], at(VISIBILITY, (plan.visibility ?? 1) - 1)),
    ...coded(layer, ['CVR_kode', 'CVR_navn'], authority),
    Bruger_id: random.uuid(),
    Link: random.pick(LINKS),
    ...coded(layer, ['Aendr_kode', 'Aendrbegr'], change),
    Sagsbeh: random.chance(0.4) ? 'xyz' : null,
  };
}

function styledCode(style: CodeStyle, code: number): SampleValue {
  switch (style) {
    case 'integer':
      return code;
    case 'text':
      return String(code);
    case 'decimal':
      return { raw: `${code}.0` };
    case 'decimal-text':
      return `${code}.0`;
  }
}

function unknownTime(style: TimeStyle): string {
  return style === 'iso' ? '1800-01-01T04:00:00.000' : '1800/01/01 04:00:00.000';
}

function timeText(
  style: TimeStyle,
  random: Random,
  [firstYear, lastYear]: readonly [number, number],
): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = [
    random.integer(firstYear, lastYear),
    two(random.integer(1, 12)),
    two(random.integer(1, 28)),
  ];
  const clock = `${two(random.integer(4, 23))}:${two(random.integer(0, 59))}`;
  const seconds = `${two(random.integer(0, 59))}.${String(random.integer(0, 999)).padStart(3, '0')}`;
  return style === 'iso'
    ? `${date.join('-')}T${clock}:${seconds}`
    : `${date.join('/')} ${clock}:${seconds}`;
}

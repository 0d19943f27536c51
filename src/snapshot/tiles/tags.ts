import type { AreaAttributes } from '../../layers/feature.ts';
import { isLineKey } from '../../layers/keys.ts';
import type { LayerId } from '../../layers/keys.ts';
import { lineAttributesReader } from '../attributes.ts';
import type { LayerSnapshot } from '../layer.ts';
import { FEATURE } from '../grid.ts';

export type Tags = Readonly<Record<string, string | number | boolean>>;

type Fields = Readonly<Record<string, 'String' | 'Number' | 'Boolean'>>;

const LINE_FIELDS = {
  objekt_id: 'String',
  i_kraft: 'Boolean',
  status_kode: 'String',
  status_navn: 'String',
  kategori: 'String',
  naturtype: 'String',
  fredningsstatus: 'String',
  digetype: 'String',
  areal_m2: 'Number',
  gaeldende_fra: 'String',
  kommune_navn: 'String',
} as const satisfies Fields;

const AREA_FIELDS = {
  kode: 'String',
  navn: 'String',
  regionskode: 'String',
} as const satisfies Fields;

/** The box of an unreadable feature (D143). */
export const UNREAD_TAGS = { ubesvaret: true } as const;

const UNREAD_FIELDS = { ubesvaret: 'Boolean' } as const satisfies Fields;

/** Named as in an answer (D90). */
export const PARCEL_FIELDS = {
  matrikelnummer: 'String',
  ejerlav_kode: 'Number',
  ejerlav_navn: 'String',
  bfe_nummer: 'Number',
} as const satisfies Fields;

export const HOUSE_FIELDS = {
  id: 'String',
  husnr: 'String',
  vejnavn: 'String',
} as const satisfies Fields;

export const NAME_FIELDS = {
  id: 'String',
  navn: 'String',
  hovedtype: 'String',
  undertype: 'String',
  fra_zoom: 'Number',
} as const satisfies Fields;

export function fieldsOf(layer: LayerId): Fields {
  return { ...(isLineKey(layer) ? LINE_FIELDS : AREA_FIELDS), ...UNREAD_FIELDS };
}

export function tagsReader(snapshot: LayerSnapshot): (feature: number) => Tags {
  return isLineKey(snapshot.meta.layer) ? lineTags(snapshot) : areaTags(snapshot);
}

function lineTags(snapshot: LayerSnapshot): (feature: number) => Tags {
  const attributes = lineAttributesReader(snapshot);
  return (feature) => {
    const { objectId, areaM2 } = snapshot.identify(feature);
    const of = attributes(feature);
    const tags: Record<keyof typeof LINE_FIELDS, string | number | boolean | null> = {
      objekt_id: objectId,
      i_kraft: (snapshot.featureFlags[feature]! & FEATURE.repealed) === 0,
      status_kode: of.statusCode,
      status_navn: of.statusName,
      kategori: of.category,
      naturtype: of.natureType,
      fredningsstatus: of.protectionStatus,
      digetype: of.dykeType,
      // One decimal, as in an answer.
      areal_m2: areaM2 === null ? null : Math.round(areaM2 * 10) / 10,
      gaeldende_fra: of.validFrom,
      kommune_navn: of.municipalityName,
    };
    return withoutNulls(tags);
  };
}

function areaTags(snapshot: LayerSnapshot): (feature: number) => Tags {
  return (feature) => {
    const { code, name, regionCode } = JSON.parse(
      snapshot.feature(feature).attributes,
    ) as AreaAttributes;
    const tags: Record<keyof typeof AREA_FIELDS, string | null> = {
      kode: code,
      navn: name,
      regionskode: regionCode,
    };
    return withoutNulls(tags);
  };
}

export function withoutNulls(tags: Readonly<Record<string, Tags[string] | null>>): Tags {
  const said: Record<string, Tags[string]> = {};
  for (const name in tags) {
    const value = tags[name];
    if (value !== null && value !== undefined) said[name] = value;
  }
  return said;
}

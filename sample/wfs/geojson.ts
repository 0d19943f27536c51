/** GeoJSON as GeoServer writes it: totals, a `crs` member, links, the geometry's own name. */
import type { SampleFeature, SampleValue } from '../data/feature.ts';
import { loseInJson } from '../data/lost-member.ts';
import type { Collection } from './collection.ts';
import { TIME_STAMP } from './collection.ts';

export function writeGeoJson(collection: Collection): string {
  const { nextUrl, numberMatched, numberReturned } = collection;
  const next = { title: 'next page', type: 'application/json', rel: 'next', href: nextUrl };
  return JSON.stringify({
    type: 'FeatureCollection',
    features: collection.features.map((feature) => featureObject(feature, collection)),
    totalFeatures: numberMatched,
    numberMatched,
    numberReturned,
    timeStamp: TIME_STAMP,
    ...(nextUrl === null ? {} : { links: [next] }),
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } },
  });
}

function featureObject(feature: SampleFeature, collection: Collection): unknown {
  const { geometry, id, properties, loses } = feature;
  return {
    type: 'Feature',
    id,
    geometry:
      loses === undefined || geometry === null
        ? geometry
        : { ...geometry, coordinates: loseInJson(geometry.coordinates, `${loses} ${id}`) },
    ...(geometry === null ? {} : { geometry_name: collection.geometryProperty }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, jsonValue(value)]),
    ),
  };
}

/** Writes `3.0` as it stands, which no JavaScript number can. */
function jsonValue(value: SampleValue): unknown {
  return typeof value === 'object' && value !== null ? rawJson(value.raw) : value;
}

// In Node since 22; the library types of this language level do not know it yet.
const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

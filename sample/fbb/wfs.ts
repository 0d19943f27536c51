/**
 * The WFS of the register of listed and preserved buildings: its feature types by GetFeature, with paging,
 * order and a filter of equalities, as GeoJSON. What tests spoil of it they are given here.
 */
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { PROTECTION } from '../../src/layers/keys.ts';
import { generateProtection, PROTECTION_LAYERS } from '../registers/property/protection.ts';
import type { ProtectionFeature, ProtectionLayer } from '../registers/property/protection.ts';
import { readParameters, textReply } from '../http.ts';
import type { Parameters, Reply } from '../http.ts';
import { TIME_STAMP } from '../wfs/collection.ts';
import { exceptionReport, WfsException } from '../wfs/exception.ts';
import { equalitiesIn, meets } from '../wfs/filter.ts';
import type { Attributes } from '../wfs/filter.ts';
import { documentOf } from '../wfs/xml.ts';

/** Changes on the way to the client, for tests. */
export interface ProtectionFaults {
  readonly features?: (
    layer: ProtectionLayer,
    features: readonly ProtectionFeature[],
  ) => readonly object[];
  readonly reply?: (layer: ProtectionLayer, reply: Reply) => Reply;
}

export class ProtectionWfs {
  // Nothing is drawn before somebody asks.
  #made: ReturnType<typeof generateProtection> | undefined;
  #faults: ProtectionFaults = {};

  features(layer: ProtectionLayer): readonly ProtectionFeature[] {
    return (this.#made ??= generateProtection())[layer];
  }

  /** Replaces the faults; none mends everything. */
  spoil(faults: ProtectionFaults = {}): void {
    this.#faults = faults;
  }

  answer(url: URL): Reply {
    try {
      const parameters = readParameters(url);
      const layer = layerOf(parameters);
      const features = this.features(layer);
      const held = this.#faults.features?.(layer, features) ?? features;
      const reply = collection(layer, held, parameters);
      return this.#faults.reply?.(layer, reply) ?? reply;
    } catch (error) {
      if (!(error instanceof WfsException)) throw error;
      return textReply(400, exceptionReport(error), 'application/xml');
    }
  }
}

const HITS = documentOf('hits');

function layerOf(parameters: Parameters): ProtectionLayer {
  if (parameters.get('request')?.toLowerCase() !== 'getfeature') {
    throw new WfsException('OperationNotSupported', 'Only GetFeature is spoken here', 'request');
  }
  const name = parameters.get('typenames') ?? '';
  const { tables } = REGISTERS_CATALOGUE.registers[PROTECTION];
  const layer = PROTECTION_LAYERS.find((each) => {
    const source = tables[each]?.source;
    return source?.kind === 'wfs' && source.typeName === name;
  });
  if (layer !== undefined) return layer;
  throw new WfsException('InvalidParameterValue', `Feature type ${name} unknown`, 'typeName');
}

function collection(layer: ProtectionLayer, held: readonly object[], asked: Parameters): Reply {
  const filter = asked.get('filter');
  const equalities = filter === undefined ? null : equalitiesIn(filter);
  const matching = (held as readonly Attributes[]).filter(
    (each) => equalities === null || equalities.some((equality) => meets(each, equality)),
  );
  const order = asked.get('sortby');
  if (order !== undefined) matching.sort((a, b) => Number(a[order]) - Number(b[order]));
  if (asked.get('resulttype') === 'hits') {
    const report = HITS({ matched: matching.length, timeStamp: TIME_STAMP });
    return textReply(200, report.trimEnd(), 'application/xml');
  }
  const start = Number(asked.get('startindex') ?? 0);
  const page = matching.slice(start, start + Number(asked.get('count') ?? Infinity));
  const body = {
    type: 'FeatureCollection',
    features: page.map((properties) => ({
      type: 'Feature',
      id: `view_bygning_${layer}.${String(properties['bygningsid'])}`,
      geometry: null,
      properties,
    })),
    totalFeatures: matching.length,
    numberMatched: matching.length,
    numberReturned: page.length,
    timeStamp: TIME_STAMP,
  };
  return textReply(200, JSON.stringify(body), 'application/json');
}

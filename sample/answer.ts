/** From a WFS request to a reply: the stages an answer goes through, faults and all. */
import type { LayerId } from '../src/layers/keys.ts';
import type { SampleFeature, Schema } from './data/feature.ts';
import { schemaOf as schemaAtFirst } from './data/schemas.ts';
import type { ActiveFault, FaultSwitches } from './fault-plan.ts';
import { ASKER_PARAMETER } from './fault-plan.ts';
import type { Counts, Fault, FaultContext, Operation, Transport } from './faults/stages.ts';
import type { Holdings } from './holdings.ts';
import type { HostId, SampleHost } from './hosts.ts';
import { sourceOf } from './hosts.ts';
import { readParameters, textReply, UNAUTHORIZED } from './http.ts';
import type { Reply } from './http.ts';
import { capabilitiesDocument, schemaDocument } from './wfs/documents.ts';
import type { Collection } from './wfs/collection.ts';
import { exceptionReport, WfsException } from './wfs/exception.ts';
import { writeGeoJson } from './wfs/geojson.ts';
import { writeGml } from './wfs/gml.ts';
import type { FeatureQuery, WfsQuery } from './wfs/query.ts';
import { readQuery } from './wfs/query.ts';
import { selectFeatures } from './wfs/select.ts';

/** Largest page while no fault lowers it: GeoServer's own default, in effect none. */
const COUNT_DEFAULT = 1_000_000;
const GML = 'application/gml+xml; version=3.2';

export interface SampleRequest {
  readonly host: SampleHost;
  /** The address as asked for, origin included. */
  readonly url: URL;
  readonly holdings: Holdings;
  readonly faults: FaultSwitches;
}

export interface Answer {
  readonly reply: Reply;
  readonly transport: Transport;
  readonly operation: Operation | null;
  readonly layer: LayerId | null;
}

/** Never throws: what is wrong with the request is said in the reply, as a WFS would. */
export function answerRequest(request: SampleRequest): Answer {
  const { host, url } = request;
  const parameters = readParameters(url);
  if (host.apiKeyParameter !== null && !parameters.get(host.apiKeyParameter)) {
    return plain(textReply(401, UNAUTHORIZED));
  }
  try {
    return answerQuery(request, readQuery(host, parameters));
  } catch (error) {
    if (!(error instanceof WfsException)) throw error;
    return plain(textReply(400, exceptionReport(error), 'application/xml'));
  }
}

function answerQuery(request: SampleRequest, query: WfsQuery): Answer {
  const features = query.operation === 'features' ? query.query : null;
  const operation: Operation =
    query.operation === 'features' && query.query.hits ? 'hits' : query.operation;
  const layer = features?.layer ?? (query.operation === 'schema' ? query.layers[0] : null) ?? null;
  const active = request.faults.take({
    host: request.host.id,
    layer,
    operation,
    asker: request.url.searchParams.get(ASKER_PARAMETER),
    startIndex: features?.startIndex ?? 0,
  });
  const right = (): Reply => writeReply(request, query, active);
  const { reply, transport } = spoiled(active, { query: features, url: request.url, right });
  return { reply, transport, operation, layer };
}

/** What is asked of a host that is no WFS. */
export interface Question extends Pick<Answer, 'layer'> {
  readonly host: HostId;
  readonly operation: Operation;
  readonly right: () => Reply;
}

/** The faults of the whole answer and of the wire apply. */
export function answerQuestion(
  { url, faults }: Pick<SampleRequest, 'url' | 'faults'>,
  { host, operation, layer, right }: Question,
): Answer {
  const asker = url.searchParams.get(ASKER_PARAMETER);
  const active = faults.take({ host, layer, operation, asker, startIndex: 0 });
  return { ...spoiled(active, { query: null, url, right }), operation, layer };
}

/** The right reply as faults of the answer and the wire make it; it is not made where one answers. */
function spoiled(
  active: readonly ActiveFault[],
  asked: {
    readonly query: FeatureQuery | null;
    readonly url: URL;
    readonly right: () => Reply;
  },
): Pick<Answer, 'reply' | 'transport'> {
  const { query, url, right } = asked;
  const answered = active
    .map(({ fault, context }) => fault.answer?.(context, query, url) ?? null)
    .find((reply) => reply !== null);
  const reply = through(active, answered ?? right(), (fault, context, value) =>
    fault.reply?.(value, context),
  );
  const transport = active.map(({ fault, context }) => fault.transport?.(context) ?? {});
  return { reply, transport: Object.assign({}, ...transport) as Transport };
}

function writeReply(
  request: SampleRequest,
  query: WfsQuery,
  active: readonly ActiveFault[],
): Reply {
  const { host, url } = request;
  const countDefault = countLimit(active);
  switch (query.operation) {
    case 'capabilities': {
      const plan = { host, url: `${url.origin}${url.pathname}`, countDefault };
      return textReply(200, capabilitiesDocument(plan), 'application/xml');
    }
    case 'schema': {
      const schemas = query.layers.map((layer) => ({ layer, schema: schemaOf(layer, active) }));
      return textReply(200, schemaDocument(host, schemas), GML);
    }
    case 'features': {
      const collection = collect(request, query.query, active, countDefault);
      return query.query.output === 'geojson'
        ? textReply(200, writeGeoJson(collection), 'application/json')
        : textReply(200, writeGml(collection), GML);
    }
  }
}

function collect(
  { host, holdings, url }: SampleRequest,
  asked: FeatureQuery,
  active: readonly ActiveFault[],
  countDefault: number,
): Collection {
  const via = <T>(value: T, stage: Stage<T>): T => through(active, value, stage);
  const query = via(asked, (fault, context, value) => fault.query?.(value, context));
  const { layer } = query;
  const held = via(holdings.features(layer), (fault, context, value) =>
    fault.held?.(value, context),
  );
  const all = via(selectFeatures(held, query), (fault, context, value) =>
    fault.all?.(value, context, query),
  );
  const limit = Math.min(query.count ?? Infinity, countDefault);
  const cut = query.hits ? [] : all.slice(query.startIndex, query.startIndex + limit);
  const features = via<readonly SampleFeature[]>(cut, (fault, context, value) =>
    fault.page?.(value, context, { all, query }),
  );
  const counted: Counts = { matched: all.length, returned: features.length };
  const { matched, returned } = via(counted, (fault, context, value) =>
    fault.counts?.(value, context, query),
  );
  const nextIndex = query.startIndex + features.length;
  return {
    ...{ host, layer, features },
    schema: schemaOf(layer, active),
    geometryProperty: sourceOf(layer).geometryProperty,
    srsName: via(query.srsName, (fault, _, value) => fault.crsName?.(value)),
    numberMatched: matched,
    numberReturned: returned,
    nextUrl: !query.hits && nextIndex < all.length ? withStart(url, nextIndex) : null,
  };
}

type Stage<T> = (fault: Fault, context: FaultContext, value: T) => T | undefined;

/** A value changed by each fault that has something to say at this stage. */
function through<T>(active: readonly ActiveFault[], value: T, stage: Stage<T>): T {
  return active.reduce(
    (current, { fault, context }) => stage(fault, context, current) ?? current,
    value,
  );
}

function schemaOf(layer: LayerId, active: readonly ActiveFault[]): Schema {
  return through(active, schemaAtFirst(layer), (fault, context, value) =>
    fault.schema?.(value, context, layer),
  );
}

function countLimit(active: readonly ActiveFault[]): number {
  return through(active, COUNT_DEFAULT, (fault, context) => fault.countDefault?.(context));
}

function withStart(url: URL, startIndex: number): string {
  const next = new URL(url);
  for (const name of [...next.searchParams.keys()]) {
    if (name.toLowerCase() === 'startindex') next.searchParams.delete(name);
  }
  next.searchParams.set('startIndex', String(startIndex));
  return next.href;
}

function plain(reply: Reply): Answer {
  return { reply, transport: {}, operation: null, layer: null };
}

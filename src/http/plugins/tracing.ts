/** Not `@fastify/otel`, which records whole addresses, with queries and keys. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CACHE_NAME, SERVICE_VERSION } from '../../kernel/identity.ts';
import { sentenceOf } from '../../kernel/log.ts';
import type { TracingSettings } from '../../kernel/tracing-settings.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { loggedPath } from './logging.ts';

/** Install first: a refusing hook hides the request from later ones. */
export function installTracing(app: FastifyInstance, settings: TracingSettings): void {
  const provider = providerOf(settings, app.log);
  const tracer = provider.getTracer(CACHE_NAME, SERVICE_VERSION);
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    spans.set(request, startSpan(tracer, request));
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    if (span !== undefined) endSpan(span, request, reply);
    done();
  });
  // Failures were logged.
  app.addHook('onClose', () => provider.shutdown().catch(() => undefined));
}

function startSpan(tracer: Tracer, request: FastifyRequest): Span {
  const { method } = request;
  const route = request.is404 ? undefined : request.routeOptions.url;
  const attributes = {
    'http.request.method': method,
    ...(route !== undefined && { 'http.route': route }),
    'url.path': loggedPath(request.url),
    'geoopslag.request_id': request.id,
  };
  const name = route === undefined ? method : `${method} ${route}`;
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parentOf(request));
}

function endSpan(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  span.setAttribute('http.response.status_code', reply.statusCode);
  span.setAttributes(answerAttributes(request, reply));
  if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function answerAttributes(request: FastifyRequest, reply: FastifyReply): Attributes {
  const rungs = /detail="?([a-z ]+)/.exec(String(reply.getHeader('cache-status') ?? ''))?.[1];
  const generation = reply.getHeader('x-service-generation');
  const { access } = request.routeOptions.config;
  return {
    ...(rungs !== undefined && { 'geoopslag.rung': rungs }),
    ...(generation !== undefined && { 'geoopslag.generation': Number(generation) }),
    ...(access !== undefined && access.isMap !== true && { 'geoopslag.register': access.area }),
  };
}

/** The caller's span, by W3C Trace Context. */
function parentOf({ headers: { traceparent } }: FastifyRequest): Context {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (parent === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

function providerOf(settings: TracingSettings, log: FastifyBaseLogger): TracerProvider {
  const { queue, batch, everyMs, exportMs } = HTTP_LIMITS.tracing;
  const { url, headers, resource } = settings;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportMs });
  return new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, log),
        maxQueueSize: queue,
        maxExportBatchSize: batch,
        scheduledDelayMillis: everyMs,
        exportTimeoutMillis: exportMs,
      }),
    ],
  });
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}

/** Logs once when the collector takes no spans, which are then lost. */
function reporting(exporter: OTLPTraceExporter, log: FastifyBaseLogger): SpanExporter {
  let isTaking = true;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const wasTaking = isTaking;
        isTaking = result.code === ExportResultCode.SUCCESS;
        if (wasTaking && !isTaking) {
          const why = sentenceOf(result.error ?? 'no reason given');
          log.warn({ component: 'traces' }, `the collector takes no traces: ${why}`);
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}

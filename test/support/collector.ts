/** A collector of OTLP as JSON on loopback, which keeps what it is sent. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './free-port.ts';

type Value = string | number | boolean;

export type Collector = Awaited<ReturnType<typeof startCollector>>;

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, Value>>;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly parentSpanId?: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly status: { readonly code?: number };
        readonly attributes: readonly Attribute[];
      }[];
    }[];
  }[];
}

export async function startCollector() {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST' && request.url === '/v1/traces') bodies.push(body);
      headers.push(request.headers);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  const sent = () => bodies.flatMap((body) => (JSON.parse(body) as Sent).resourceSpans);
  return {
    base: `http://127.0.0.1:${await listening(server)}`,
    bodies,
    headers,
    resource: () => valuesOf(sent()[0]?.resource.attributes ?? []),
    spans: () =>
      sent()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({
          ...{ name: span.name, traceId: span.traceId, parentSpanId: span.parentSpanId },
          status: span.status.code ?? 0,
          seconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e9,
          attributes: valuesOf(span.attributes),
        })),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[kind, given] = []] = Object.entries(value);
      return [key, kind === 'intValue' ? Number(given) : (given ?? '')];
    }),
  );
}

/**
 * The sample upstream: a real HTTP server that plays the four register hosts as WFS 2.0, each at
 * its own path. What it serves can be changed between requests, and it can be told to misbehave.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LayerId } from '../src/layers/keys.ts';
import type { Answer } from './answer.ts';
import { answerQuestion, answerRequest } from './answer.ts';
import { FaultSwitches } from './fault-plan.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Operation } from './faults/stages.ts';
import { ProtectionWfs } from './fbb/wfs.ts';
import { answerFiles, filesOperation, themeAsked } from './files/answer.ts';
import { Shelf } from './files/shelf.ts';
import { Holdings } from './holdings.ts';
import type { HostId } from './hosts.ts';
import { FILES_HOST, hostAt } from './hosts.ts';
import { readBody } from './http.ts';
import { sendReply } from './send.ts';
import { handleSwitches, SWITCHES_PATH } from './switches.ts';
import { PROTECTION_PATH } from './registers/property/register.ts';
import { SAMPLES } from './registers.ts';
import type { SampleQuestion } from './sample-register.ts';

export interface SampleUpstreamOptions {
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** The default listens on loopback only. */
  readonly host?: string;
  readonly faults?: FaultPlan;
}

/** One request as it arrived, for tests that count them. The key is never kept. */
export interface RequestRecord {
  readonly host: HostId;
  readonly layer: LayerId | null;
  readonly operation: Operation | null;
  readonly startIndex: number;
  readonly status: number;
}

export interface SampleUpstream {
  /** `http://127.0.0.1:port`, without a path: `sampleCatalogue` takes it from there. */
  readonly url: string;
  readonly holdings: Holdings;
  readonly faults: FaultSwitches;
  /** The file downloads: what is listed, and how tests spoil it. */
  readonly shelf: Shelf;
  /** Listed and preserved buildings. */
  readonly protection: ProtectionWfs;
  /** The latest requests (10,000 at most), oldest first. */
  requests(): readonly RequestRecord[];
  forgetRequests(): void;
  /** Stops listening and drops every connection: connection refused until `resume`. */
  pause(): Promise<void>;
  /** Listens again on the same port. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

const REQUESTS_KEPT = 10_000;

export async function startSampleUpstream(
  options: SampleUpstreamOptions = {},
): Promise<SampleUpstream> {
  const holdings = new Holdings();
  const shelf = new Shelf(holdings);
  const protection = new ProtectionWfs();
  const faults = new FaultSwitches(options.faults);
  const requests: RequestRecord[] = [];
  const stop = new AbortController();
  const address = options.host ?? '127.0.0.1';
  const held = { holdings, shelf, protection, faults, requests, stopped: stop.signal };

  const server = createServer((request, response) => {
    serve(request, response, held).catch(() => {
      // The client left, the server closes, or the sample is broken: in each case this one
      // connection ends without an answer, which a client must bear anyway.
      response.destroy();
    });
  });
  const port = await listen(server, options.port ?? 0, address);

  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    holdings,
    faults,
    shelf,
    protection,
    requests: () => [...requests],
    forgetRequests: () => {
      requests.length = 0;
    },
    pause: () => shut(server),
    resume: async () => {
      await listen(server, port, address);
    },
    close: async () => {
      stop.abort();
      await shut(server);
    },
  };
}

interface Held extends Pick<SampleUpstream, 'holdings' | 'shelf' | 'protection' | 'faults'> {
  readonly requests: RequestRecord[];
  readonly stopped: AbortSignal;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  held: Held,
): Promise<void> {
  const { faults, requests, stopped } = held;
  const url = addressOf(request);
  if (url?.pathname === SWITCHES_PATH) {
    await handleSwitches(request, response, faults);
    return;
  }
  const asked = url && (await askedAt(request, url, held));
  if (!asked) {
    sendText(response, 404, 'Not Found');
    return;
  }
  if (!asked.isLive && request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    sendText(response, 405, 'Method Not Allowed');
    return;
  }
  const { reply, transport, layer, operation } = asked.answer();
  if (requests.length >= REQUESTS_KEPT) requests.shift();
  const startIndex = Number(url.searchParams.get('startIndex') ?? 0);
  requests.push({ host: asked.host, startIndex, layer, operation, status: reply.status });
  await sendReply(response, { reply, transport, headOnly: request.method === 'HEAD' }, stopped);
}

interface Asked {
  readonly host: HostId;
  readonly isLive?: boolean;
  readonly answer: () => Answer;
}

/** Who answers at an address, and how; null where nobody does. */
async function askedAt(request: IncomingMessage, url: URL, held: Held): Promise<Asked | null> {
  const { holdings, shelf, protection, faults } = held;
  const live = SAMPLES.map((sample) => sample.live).find((each) => each?.path === url.pathname);
  if (live !== undefined) {
    const sent = await sentIn(request, url);
    const { host, operation } = live;
    const question = { host, operation, layer: null, right: () => live.answer(sent) };
    return { host, isLive: true, answer: () => answerQuestion({ url, faults }, question) };
  }
  if (url.pathname === PROTECTION_PATH) {
    return { host: 'heritage', answer: () => answerProtection(protection, url) };
  }
  const host = hostAt(url.pathname);
  if (host !== null) {
    return { host: host.id, answer: () => answerRequest({ host, url, holdings, faults }) };
  }
  const operation = filesOperation(url.pathname);
  if (operation === null) return null;
  const files = { host: FILES_HOST, operation, layer: themeAsked(url) };
  const question = { ...files, right: () => answerFiles(shelf, url, operation) };
  return { host: FILES_HOST, answer: () => answerQuestion({ url, faults }, question) };
}

/** The body is read before the question is answered. */
async function sentIn(request: IncomingMessage, url: URL): Promise<SampleQuestion> {
  const { method = '', headers } = request;
  const { authorization = '' } = headers;
  return { url, method, authorization, body: await readBody(request) };
}

function answerProtection(protection: ProtectionWfs, url: URL): Answer {
  const isHits = url.searchParams.get('resultType') === 'hits';
  const reply = protection.answer(url);
  return { reply, transport: {}, operation: isHits ? 'hits' : 'features', layer: null };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen({ port, host });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // An error here says it was closed already, which is what was asked for.
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

/** The address as the client wrote it; null when its Host or path cannot be read. */
function addressOf(request: IncomingMessage): URL | null {
  return URL.parse(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain;charset=UTF-8' });
  response.end(text);
}

/** A small server of S3's protocol over memory: GET, PUT, HEAD, DELETE and listings of two. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import type { S3Settings } from '../../src/kernel/snapshot-store-settings.ts';
import { listening } from './free-port.ts';

export interface S3Server {
  readonly settings: S3Settings;
  /** How it fails: not at all, by 503, or without a word. */
  trouble: 'none' | 'refuses' | 'hangs';
  asked: number;
  /** Its answer to a file beyond four. */
  full: { readonly status: number; readonly code: string } | null;
  close(): Promise<void>;
}

const PAGE = 2;

export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    state.asked += 1;
    void (async () => {
      const body = await buffer(request);
      if (state.trouble === 'hangs') return;
      const { status, text } = state.trouble === 'refuses' ? REFUSED : answer(request, body);
      const isHead = request.method === 'HEAD';
      response.writeHead(status, { 'content-length': text.length });
      response.end(isHead ? undefined : text);
    })();
  });
  const answer = ({ method = '', url = '', headers }: IncomingMessage, body: Buffer) => {
    const { pathname, searchParams } = new URL(url, 'http://here');
    const key = decodeURIComponent(pathname.replace('/bucket/', ''));
    if (!/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/here\/s3\//.test(headers.authorization ?? '')) {
      return { status: 403, text: Buffer.from('<Error><Code>AccessDenied</Code></Error>') };
    }
    if (searchParams.has('list-type')) return { status: 200, text: listing(objects, searchParams) };
    const isFile = (each: string) => each.includes('/files/');
    const held = [...objects.keys()].filter(isFile).length;
    if (method === 'PUT' && state.full !== null && isFile(key) && held >= 4) {
      const { status, code } = state.full;
      return { status, text: Buffer.from(`<Error><Code>${code}</Code></Error>`) };
    }
    if (method === 'PUT') return put(objects, { key, body, headers });
    if (method === 'DELETE') objects.delete(key);
    const found = method === 'DELETE' ? Buffer.alloc(0) : objects.get(key);
    return found === undefined
      ? { status: 404, text: Buffer.from('<Error><Code>NoSuchKey</Code></Error>') }
      : { status: 200, text: found };
  };
  const port = await listening(server);
  const state: S3Server = {
    settings: {
      ...{ kind: 's3', bucket: 'bucket', prefix: 'files of one' },
      ...{ endpoint: `http://127.0.0.1:${port}`, region: 'here' },
      ...{ accessKeyId: 'id', secretAccessKey: 'a secret', sessionToken: null },
    },
    trouble: 'none',
    asked: 0,
    full: null,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}

const REFUSED = { status: 503, text: Buffer.from('<Error><Code>SlowDown</Code></Error>') };

function put(
  objects: Map<string, Buffer>,
  { key, body, headers }: { key: string; body: Buffer; headers: IncomingMessage['headers'] },
) {
  const promised = headers['x-amz-content-sha256'];
  const found = createHash('sha256').update(body).digest('hex');
  if (promised !== 'UNSIGNED-PAYLOAD' && promised !== found) {
    return { status: 400, text: Buffer.from('<Error><Code>BadDigest</Code></Error>') };
  }
  objects.set(key, body);
  return { status: 200, text: Buffer.alloc(0) };
}

function listing(objects: ReadonlyMap<string, Buffer>, asked: URLSearchParams): Buffer {
  const from = Number(asked.get('continuation-token') ?? 0);
  const keys = [...objects.keys()].filter((key) => key.startsWith(asked.get('prefix') ?? ''));
  const page = keys.slice(from, from + PAGE).map((key) => {
    const modified = new Date().toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`;
  });
  const isMore = from + PAGE < keys.length;
  const next = isMore ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : '';
  return Buffer.from(
    `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${page.join('')}${next}</ListBucketResult>`,
  );
}

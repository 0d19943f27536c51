/**
 * A register of the generated country over HTTP, in a process of its own: its content is written to
 * disk once, so that serving is reading and no making.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AssessmentFiles } from './upstream-assessments.ts';
import type { Content, Served, UpstreamContent } from './content.ts';
import { AddressFiles } from './upstream-addresses.ts';
import { LinePages } from './upstream-lines.ts';
import { PropertyFiles } from './upstream-properties.ts';

let content: Content | null = null;
let origin: string | null = null;

/** Serves this content from now on. */
export async function serveUpstream(wanted: UpstreamContent): Promise<Served> {
  if (wanted.register === 'properties' && content instanceof PropertyFiles) {
    // Minutes of writing at national size: the deltas are there and only not listed yet.
    content.list(wanted);
  } else {
    content?.close();
    content = await contentOf(wanted);
  }
  origin ??= await listen();
  const url = origin + content.path;
  return { url, rows: 0, bytes: 0, vertices: 0, changed: 0, plain: null, ...content.facts };
}

async function contentOf(wanted: UpstreamContent): Promise<Content> {
  if (wanted.register === 'natur') return new LinePages(wanted);
  if (wanted.register === 'adresser') return await AddressFiles.write(wanted);
  if (wanted.register === 'assessments') return await AssessmentFiles.write(wanted);
  return await PropertyFiles.write(wanted);
}

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    content?.answer(new URL(request.url ?? '/', 'http://localhost'), response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

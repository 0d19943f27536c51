/**
 * BBR and the cadastre of the generated country over HTTP, in a process of its own: written to disk once, so that
 * serving is reading and no making.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Served, UpstreamContent } from './content.ts';
import { PropertyFiles } from './upstream-properties.ts';

let content: PropertyFiles | null = null;
let origin: string | null = null;

/** Serves this content from now on. */
export async function serveUpstream(wanted: UpstreamContent): Promise<Served> {
  // Minutes of writing at national size: the deltas are there and only not listed yet.
  if (content !== null) content.list(wanted);
  else content = await PropertyFiles.write(wanted);
  origin ??= await listen();
  return { url: origin, ...content.facts };
}

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    content?.answer(new URL(request.url ?? '/', 'http://localhost'), response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * A register of the generated country over HTTP, in a process of its own: its content is written to
 * disk once, so that serving is reading and no making.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Content, Served, UpstreamContent } from './content.ts';
import { AddressFiles } from './upstream-files.ts';
import { LinePages } from './upstream-lines.ts';

let content: Content | null = null;
let origin: string | null = null;

/** Serves this content from now on. */
export async function serveUpstream(wanted: UpstreamContent): Promise<Served> {
  content?.close();
  content = wanted.register === 'natur' ? new LinePages(wanted) : await AddressFiles.write(wanted);
  origin ??= await listen();
  const url = origin + content.path;
  return { url, rows: 0, bytes: 0, vertices: 0, changed: 0, plain: null, ...content.facts };
}

async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    content?.answer(new URL(request.url ?? '/', 'http://localhost'), response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

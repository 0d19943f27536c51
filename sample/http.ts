/** What is read of an HTTP request, and the answer before it is sent. */
import type { IncomingMessage } from 'node:http';

export type Parameters = ReadonlyMap<string, string>;

/** Parameter names in lower case; the last of a repeated name counts. */
export function readParameters({ searchParams }: URL): Parameters {
  return new Map([...searchParams].map(([name, value]) => [name.toLowerCase(), value]));
}

export const MOST_BYTES = 64 * 1024;

/** As text; of a larger one more than MOST_BYTES. */
export async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
    body += chunk;
    if (body.length > MOST_BYTES) break;
  }
  return body;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function replyOf(
  status: number,
  body: string | Buffer,
  headers: Reply['headers'] & { readonly 'content-type': string },
): Reply {
  return { status, headers, body: typeof body === 'string' ? Buffer.from(body) : body };
}

/** Text in UTF-8, of a type that says so. */
export function textReply(status: number, body: string, type = 'text/plain'): Reply {
  return replyOf(status, body, { 'content-type': `${type};charset=UTF-8` });
}

/** What the Datafordeler says to a question without a key. */
export const UNAUTHORIZED = 'DAF-AUTH-0001 Unauthorized';

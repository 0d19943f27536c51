import { openAsBlob } from 'node:fs';
import { AwsClient } from 'aws4fetch';
import { SaxesParser } from 'saxes';
import type { S3Settings } from '../kernel/snapshot-store-settings.ts';
import { SNAPSHOT_STORE_LIMITS } from './limits.ts';
import type { ListedObject, LocalFile, ObjectStore } from './object-store.ts';

export class S3Store implements ObjectStore {
  readonly name: string;
  readonly #client: AwsClient;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor({ bucket, prefix, endpoint, region, ...login }: S3Settings) {
    this.name = `s3://${bucket}/${prefix}`;
    this.#client = new AwsClient({
      ...{ accessKeyId: login.accessKeyId, secretAccessKey: login.secretAccessKey, region },
      ...(login.sessionToken !== null && { sessionToken: login.sessionToken }),
      // The caller counts tries.
      ...{ service: 's3', retries: 0 },
    });
    this.#bucket =
      endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
  }

  async read(key: string, mostBytes: number, signal: AbortSignal): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of (await this.open(key, signal)) ?? []) {
      bytes += piece.length;
      if (bytes > mostBytes) throw new Error(`${key} is longer than ${mostBytes} bytes`);
      pieces.push(piece);
    }
    // No stored object is empty.
    return bytes === 0 ? null : Buffer.concat(pieces);
  }

  async open(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null> {
    const response = await this.#ask('GET', this.#urlOf(key), { signal });
    return response?.body ?? null;
  }

  async sizeOf(key: string, signal: AbortSignal): Promise<number | null> {
    const response = await this.#ask('HEAD', this.#urlOf(key), { signal });
    return response === null ? null : Number(response.headers.get('content-length'));
  }

  async write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#put(key, { body: new Blob([Uint8Array.from(bytes)]), signal });
  }

  async copyIn(key: string, { path, sha256 }: LocalFile, signal: AbortSignal): Promise<void> {
    // The service refuses bytes of another hash.
    const headers = { 'x-amz-content-sha256': sha256 };
    await this.#put(key, { body: await openAsBlob(path), headers, signal });
  }

  async list(prefix: string, most: number, signal: AbortSignal): Promise<readonly ListedObject[]> {
    const found: ListedObject[] = [];
    for (let next: string | null = ''; next !== null && found.length < most;) {
      const url = new URL(`${this.#bucket}/`);
      url.searchParams.set('list-type', '2');
      url.searchParams.set('prefix', this.#prefix + prefix);
      if (next !== '') url.searchParams.set('continuation-token', next);
      const response = await this.#ask('GET', url.href, { signal });
      if (response === null) throw new Error('the bucket is not there');
      const page = readListing(await response.text());
      for (const { key, modifiedAtMs } of page.objects) {
        found.push({ key: key.slice(this.#prefix.length), modifiedAtMs });
      }
      next = page.next;
    }
    return found.slice(0, most);
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    const response = await this.#ask('DELETE', this.#urlOf(key), { signal });
    await response?.body?.cancel();
  }

  async #put(key: string, request: RequestInit): Promise<void> {
    const response = await this.#ask('PUT', this.#urlOf(key), request);
    if (response === null) throw new Error('the bucket is not there');
    await response.body?.cancel();
  }

  /** null: 404. */
  async #ask(method: string, url: string, request: RequestInit): Promise<Response | null> {
    const response = await this.#client.fetch(url, { ...request, method, redirect: 'error' });
    if (response.ok) return response;
    const text = await response.text();
    if (response.status === 404) return null;
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(text.slice(0, 2_000)) ?? [];
    const error = new Error(`${method} was answered with ${response.status} ${code}`.trim());
    const isFull = response.status === 507 || code.includes('QuotaExceeded');
    throw isFull ? Object.assign(error, { code: 'ENOSPC' }) : error;
  }

  #urlOf(key: string): string {
    return `${this.#bucket}/${this.#prefix}${key}`;
  }
}

/** A page of ListObjectsV2. */
function readListing(xml: string) {
  if (xml.length > SNAPSHOT_STORE_LIMITS.smallBytes * 2) throw new Error('its listing is too long');
  const objects: ListedObject[] = [];
  const of: Record<string, string> = {};
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', () => (text = ''));
  parser.on('text', (more) => (text += more));
  parser.on('closetag', ({ name }) => {
    of[name] = text;
    if (name !== 'Contents') return;
    objects.push({ key: of['Key'] ?? '', modifiedAtMs: Date.parse(of['LastModified'] ?? '') });
  });
  parser.write(xml).close();
  const isMore = of['IsTruncated'] === 'true';
  return { objects, next: isMore ? (of['NextContinuationToken'] ?? null) : null };
}

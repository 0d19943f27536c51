/** XML that declares entities or nests past all sense is refused before it is expanded, wherever it comes. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { readDescription } from '../../src/wfs/describe.ts';
import { readGml } from '../../src/wfs/gml.ts';
import { readGmlGeometry } from '../support/gml-geometry.ts';
import { createInspector, inspect } from '../../src/wfs/inspect.ts';
import { pageTask } from '../../src/wfs/page-task.ts';
import { parsePage } from '../../src/wfs/parse-page.ts';
import { refuseUnsafeXml } from '../../src/wfs/xml-guard.ts';
import { honest, openClient, startUpstream } from './wfs-server.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Ten of ten of ten …: under a kilobyte that would be 10^9 times its first entity. */
function nestedEntities(body: (entity: string) => string): string {
  const levels = Array.from({ length: 9 }, (_, n) => {
    const inner = n === 0 ? 'lol' : `&l${n - 1};`.repeat(10);
    return `<!ENTITY l${n} "${inner}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE bomb [${levels.join('')}]>${body('&l8;')}`;
}

function nested(levels: number, body: (inner: string) => string): string {
  return body('<a>'.repeat(levels) + '</a>'.repeat(levels));
}

const collection = (inner: string) =>
  '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberMatched="1" ' +
  `numberReturned="1"><wfs:member><t>${inner}</t></wfs:member></wfs:FeatureCollection>`;
const schema = (inner: string) =>
  '<schema xmlns="http://www.w3.org/2001/XMLSchema"><element name="ting"><complexType><sequence>' +
  `<element name="a"/>${inner}</sequence></complexType></element></schema>`;

const DECLARED = /document type or an entity declaration/;
const TOO_DEEP = /more than 200 elements/;
/** What is around the nested ones: a collection, a member, a feature. */
const AROUND = 3;

describe.each([
  ['nested entities', nestedEntities(collection), nestedEntities(schema), DECLARED],
  [
    '201 levels',
    nested(LIMITS.upstreamXmlDepth + 1 - AROUND, collection),
    nested(LIMITS.upstreamXmlDepth + 1 - 4, schema),
    TOO_DEEP,
  ],
])('%s', (_, features, description, why) => {
  test('are refused by whatever reads a document, and never expanded', () => {
    expect(() => readGml(bytes(features))).toThrow(why);
    expect(() => parsePage(pageTask(LINE_LAYERS.klitfredning, bytes(features)))).toThrow();
    expect(() => readDescription(description, 'ting')).toThrow(why);
    expect(() => readGmlGeometry(description)).toThrow(why);
  });

  test('are told from the first bytes, however they are cut', () => {
    for (const size of [1, 7, 64]) {
      const inspector = createInspector();
      const whole = bytes(features);
      for (let at = 0; at < whole.length; at += size) {
        inspector.push(whole.subarray(at, at + size));
      }
      expect(inspector.end()).toMatchObject({
        kind: 'unsafe',
        what: expect.stringMatching(why) as string,
      });
    }
  });
});

describe('XML', () => {
  test('may nest 200 levels, and one more is refused', () => {
    const depth = (n: number) => nested(n, (inner) => inner);
    expect(() => refuseUnsafeXml(depth(200))).not.toThrow();
    expect(() => refuseUnsafeXml(depth(201))).toThrow(TOO_DEEP);
    expect(() => refuseUnsafeXml('<a/>'.repeat(5_000))).not.toThrow();
    expect(inspect(bytes(nested(200 - AROUND, collection))).kind).toBe('features');
  });

  test.each([
    '<!DOCTYPE a><a/>',
    '<!doctype a SYSTEM "http://x/y.dtd"><a/>',
    '<?xml version="1.0"?><!-- <a> --><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    '<a><!ENTITY b "c"></a>',
    '<a b="<!--"><!DOCTYPE c></a>',
  ])('is refused as %j', (text) => {
    expect(() => refuseUnsafeXml(text)).toThrow(DECLARED);
  });

  test.each([
    '<a><!-- <!DOCTYPE b> --></a>',
    '<a><![CDATA[<!DOCTYPE b>]]></a>',
    '<a b="> <!-- > --"/>',
    '<a><?x <!DOCTYPE y> ?></a>',
    'no XML at all <',
  ])('is left to the parser as %j', (text) => {
    expect(() => refuseUnsafeXml(text)).not.toThrow();
  });
});

describe('columns a page did not show', () => {
  const typed = (name: string) => `<element name="${name}" type="string"/>`;
  async function liveWith(description: string) {
    const upstream = await startUpstream((query, response, n) =>
      query.get('request') === 'DescribeFeatureType'
        ? response.end(description)
        : honest(1)(query, response, n),
    );
    return { upstream, live: openClient().live };
  }

  test('are there when the source describes them, and gone when it does not', async () => {
    const { live, upstream } = await liveWith(schema(typed('Systid_til')));
    await live.describes(upstream.source, ['systid_til']);
    await expect(live.describes(upstream.source, ['systid_til', 'off_kode'])).rejects.toMatchObject(
      { kind: 'unreadable', message: expect.stringContaining('off_kode') as string },
    );
    expect(upstream.queries).toHaveLength(2);
    await live.describes(upstream.source, []);
    expect(upstream.queries).toHaveLength(2);
  });

  test('are not taken for there when nothing tells', async () => {
    const { live, upstream } = await liveWith('<html></html>');
    await expect(live.describes(upstream.source, ['systid_til'])).rejects.toMatchObject({
      kind: 'unreadable',
    });
  });
});

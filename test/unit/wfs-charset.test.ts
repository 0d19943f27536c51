/** What an upstream writes in another charset than UTF-8, in each text of it that is read. */
import { expect, test } from 'vitest';
import { readGeoJson } from '../../src/wfs/geojson.ts';
import { readGml } from '../../src/wfs/gml.ts';
import type { UpstreamFailure } from '../../src/wfs/failure.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { openClient, startUpstream } from './wfs-server.ts';

const WAITING = { tries: 1, pageTimeoutMs: HANG_MS };

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const bytesOf = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding);
const UTF8 = 'text/xml; charset=UTF-8';

/** Header, the encoding of the declaration, bytes; of JSON those alone that need no declaration. */
const FORMS: readonly (readonly [string, string, string | null, (text: string) => Buffer])[] = [
  ['its header', 'text/xml; charset="iso-8859-1"', null, (text) => bytesOf(text, 'latin1')],
  ['its header first', 'text/xml;charset=latin1', 'UTF-8', (text) => bytesOf(text, 'latin1')],
  ['its header of UTF-8', UTF8, 'ISO-8859-1', (text) => bytesOf(text, 'utf8')],
  ['its declaration', 'text/xml', 'ISO-8859-1', (text) => bytesOf(text, 'latin1')],
  [
    'a header of no charset',
    'text/xml; charset=x',
    'ISO-8859-1',
    (text) => bytesOf(text, 'latin1'),
  ],
  ['its mark first', 'text/xml; charset=latin1', null, (text) => bytesOf(`\uFEFF${text}`, 'utf8')],
  ['a mark of UTF-16', UTF8, 'UTF-16', (text) => bytesOf(`\uFEFF${text}`, 'utf16le')],
  ['a mark of UTF-16BE', 'text/xml', 'UTF-16', (text) => bigEndian(`\uFEFF${text}`)],
  ['UTF-16 without a mark', 'text/xml', 'UTF-16', (text) => bytesOf(text, 'utf16le')],
  ['UTF-16BE without a mark', 'text/xml; charset=utf-16', null, bigEndian],
  ['UTF-8 that says UTF-16', 'text/xml', 'utf-16', (text) => bytesOf(text, 'utf8')],
];
const GML = `<w:FeatureCollection xmlns:w="urn:w" xmlns:d="urn:d" numberMatched="1" numberReturned="1"><w:member><d:ting><d:navn>Rødovre</d:navn></d:ting></w:member></w:FeatureCollection>`;
const JSON_PAGE = `{"type":"FeatureCollection","numberMatched":1,"numberReturned":1,"features":[{"type":"Feature","geometry":null,"properties":{"navn":"Rødovre"}}]}`;
const REPORT = `<ExceptionReport><Exception exceptionCode="X"><ExceptionText>Rødovre</ExceptionText></Exception></ExceptionReport>`;
const SCHEMA = `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:element name="ting"><x:complexType><x:sequence><x:element name="bydelsø" type="x:string"/></x:sequence></x:complexType></x:element></x:schema>`;

test.each(FORMS)('by %s a text is read', async (_, header, declared, written) => {
  const xml = declared === null ? '' : `<?xml version="1.0" encoding="${declared}"?>`;
  let answer = { status: 200, text: `${xml}${GML}` };
  const { source } = await startUpstream((_query, response) => {
    const bytes = written(answer.text);
    response.writeHead(answer.status, { 'content-type': header, 'content-length': bytes.length });
    // In two pieces, the first of half a character.
    response.write(bytes.subarray(0, 1));
    response.end(bytes.subarray(1));
  }, WAITING);
  const { client } = openClient();
  const page = () => client.fetchPage(source, { startIndex: 0, count: 4, sortBy: null });
  const wanted = [{ navn: 'Rødovre' }];
  const { bytes } = await page();
  expect(readGml(bytes).map(({ properties }) => properties)).toEqual(wanted);
  if (!/ISO|utf-16/.test(declared ?? '')) {
    answer = { status: 200, text: JSON_PAGE };
    const { bytes } = await page();
    expect(readGeoJson(bytes).map(({ properties }) => properties)).toEqual(wanted);
  }
  for (const status of [200, 500]) {
    answer = { status, text: `${xml}${REPORT}` };
    const failure = await page().catch((error: unknown) => error as UpstreamFailure);
    expect(failure).toMatchObject({
      message: expect.stringContaining('Rødovre') as string,
      status,
    });
  }
  answer = { status: 200, text: `${xml}${SCHEMA}` };
  expect(await client.fetchColumns(source)).toEqual({ bydelsø: 'text' });
});

test('text that is not in its charset is a failure, and no text with holes', async () => {
  const { source } = await startUpstream((_query, response) => {
    response.end(Buffer.concat([bytesOf(`\uFEFF${GML}`, 'utf16le'), Buffer.of(0)]));
  }, WAITING);
  const { client } = openClient();
  await expect(client.fetchPage(source, { startIndex: 0, count: 4, sortBy: null })).rejects.toThrow(
    'an answer that is not utf-16le',
  );
});

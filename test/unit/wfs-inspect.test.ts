import { describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/wfs/envelope.ts';
import { createInspector, inspect } from '../../src/wfs/inspect.ts';
import { exceptionReport, page } from './wfs-server.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const look = (text: string): Envelope => inspect(bytes(text));

const GML = `<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment with <wfs:member> in it -->
<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberMatched="7" numberReturned="2" note="a > b">
 <wfs:boundedBy><gml:Envelope/></wfs:boundedBy>
 <wfs:member><a:ting><a:member>inner</a:member><![CDATA[<wfs:member>]]></a:ting></wfs:member>
 <wfs:member><a:ting/></wfs:member>
</wfs:FeatureCollection>`;

describe('inspecting an answer', () => {
  test('counts members of GML without a parser', () => {
    expect(look(GML)).toMatchObject({
      kind: 'features',
      format: 'gml',
      members: 2,
      numberMatched: 7,
      numberReturned: 2,
    });
  });

  test('counts featureMember and the children of featureMembers', () => {
    const one =
      '<x:FeatureCollection><g:featureMember><a/></g:featureMember></x:FeatureCollection>';
    const many =
      '<x:FeatureCollection><g:featureMembers><a/><a></a><b><c/></b></g:featureMembers></x:FeatureCollection>';
    expect(look(one)).toMatchObject({ members: 1 });
    expect(look(many)).toMatchObject({ members: 3 });
  });

  test('reads an unknown total as null, never as 0', () => {
    for (const written of ['unknown', '', '-1', 'NaN']) {
      const xml = `<w:FeatureCollection numberMatched="${written}"></w:FeatureCollection>`;
      expect(look(xml)).toMatchObject({ kind: 'features', members: 0, numberMatched: null });
    }
    expect(look('<w:FeatureCollection/>')).toMatchObject({ numberMatched: null });
    expect(look(page(0, 2, null))).toMatchObject({ members: 2, numberMatched: null });
    expect(look('{"type":"FeatureCollection","features":[]}')).toMatchObject({
      kind: 'features',
      members: 0,
      numberMatched: null,
      numberReturned: null,
    });
  });

  test('counts features of GeoJSON whatever their strings and nesting hold', () => {
    const tricky = JSON.stringify({
      features: [
        {
          type: 'Feature',
          properties: { text: 'a "features": [{}, {}] \\', nested: [{ a: [{}] }] },
        },
        { type: 'Feature', properties: null },
      ],
      totalFeatures: 12,
      bbox: [1, 2],
      type: 'FeatureCollection',
    });
    expect(look(tricky)).toMatchObject({ kind: 'features', members: 2, numberMatched: 12 });
  });

  test('gives the same envelope however the bytes are sliced', () => {
    for (const text of [
      GML,
      page(0, 5, 9),
      exceptionReport('no'),
      '<!DOCTYPE html><html></html>',
    ]) {
      const whole = look(text);
      for (const size of [1, 2, 3, 7, 50]) {
        const inspector = createInspector();
        const all = bytes(text);
        for (let at = 0; at < all.length; at += size) inspector.push(all.subarray(at, at + size));
        expect(inspector.end()).toEqual(whole);
      }
    }
  });

  test('marks off the members from time stamp and counts', () => {
    const first = bytes(page(0, 3, 3, 'one'));
    const second = bytes(page(0, 3, 300, 'another'));
    const body = (all: Uint8Array): string => {
      const envelope = inspect(all);
      if (envelope.kind !== 'features') throw new Error(envelope.kind);
      return Buffer.from(all.subarray(envelope.body.start, envelope.body.end)).toString();
    };
    expect(body(first)).toBe(body(second));
    expect(body(bytes(GML))).toMatch(/^<wfs:member>[^]*<\/wfs:member>$/);
  });

  test('takes every cut of a document for truncated or worse, never for whole', () => {
    for (const text of [GML, page(0, 2, 2)]) {
      for (let length = 1; length < text.length; length += 1) {
        expect(look(text.slice(0, length)).kind).not.toBe('features');
      }
    }
  });

  test('finds an exception report in place of the document and in the middle of it', () => {
    expect(look(exceptionReport('Something &lt;bad&gt;  happened'))).toEqual({
      kind: 'exception',
      text: 'Something <bad> happened',
    });
    expect(look('<ServiceExceptionReport><ServiceException>x</ServiceException>')).toMatchObject({
      kind: 'exception',
      text: 'x',
    });
    const midway = `<w:FeatureCollection><w:member><a/></w:member>${exceptionReport('broke').slice(21)}`;
    expect(look(midway)).toMatchObject({ kind: 'exception', text: 'broke' });
    expect(look('{"version":"2.0.0","exceptions":[{"text":"no"}]}').kind).toBe('exception');
  });

  test.each([
    ['HTML', '<!DOCTYPE html><html><body>502</body></html>', 'html'],
    ['HTML without a doctype', '\n <html><head></head>', 'html'],
    ['another root', '<wfs:WFS_Capabilities/>', 'other'],
    ['a DTD', '<!DOCTYPE x [<!ENTITY a "b">]><w:FeatureCollection/>', 'unsafe'],
    ['nothing', '', 'other'],
    ['white space', ' \n ', 'other'],
    ['text', 'Bad gateway', 'other'],
    ['a JSON array', '[]', 'other'],
    ['a JSON error', '{"error":"no"}', 'other'],
    ['a Feature', '{"type":"Feature","geometry":null}', 'other'],
    ['a collection without features', '{"type":"FeatureCollection"}', 'other'],
    ['trailing text', `${page(0, 1, 1)}<ows:ExceptionReport/>`, 'other'],
    ['two roots', '<w:FeatureCollection/><w:FeatureCollection/>', 'other'],
    [
      'a collection of collections',
      '<w:FeatureCollection><w:member><w:FeatureCollection/></w:member></w:FeatureCollection>',
      'other',
    ],
  ])('tells %s', (_, text, kind) => {
    expect(look(text).kind).toBe(kind);
  });

  test('settles on rubbish before the end, so that it need not be read', () => {
    const inspector = createInspector();
    inspector.push(bytes('<!DOCTYPE html><html>'));
    expect(inspector.settled()).toEqual({ kind: 'html' });
  });

  test('skips a byte order mark', () => {
    expect(look(`\uFEFF${page(0, 1, 1)}`)).toMatchObject({ kind: 'features', members: 1 });
  });
});

import { describe, expect, test } from 'vitest';
import type { FeaturesEnvelope } from '../../src/wfs/inspect.ts';
import { inspect } from '../../src/wfs/inspect.ts';
import { featureDigest, withoutFirst } from '../../src/wfs/join.ts';
import { page } from './wfs-server.ts';

const gml = (...members: string[]): string =>
  `<?xml version="1.0"?>\n<w:FeatureCollection numberMatched="9" numberReturned="${members.length}">` +
  `${members.map((one) => `<w:member>${one}</w:member>`).join('\n')}</w:FeatureCollection>`;
const ting = (id: string, text = id): string =>
  `<a:ting gml:id="${id}"><a:navn>${text}</a:navn></a:ting>`;

function answer(text: string) {
  const bytes = new TextEncoder().encode(text);
  const envelope = inspect(bytes);
  if (envelope.kind !== 'features') throw new Error(envelope.kind);
  return { bytes, envelope };
}

const first = ({ bytes, envelope }: ReturnType<typeof answer>) =>
  featureDigest(bytes, envelope.first);
const last = ({ bytes, envelope }: ReturnType<typeof answer>) =>
  featureDigest(bytes, envelope.last);

/** What a scan of the cut bytes says, but for the first feature, which is not told any more. */
function scanned(bytes: Uint8Array): FeaturesEnvelope {
  const envelope = inspect(bytes);
  if (envelope.kind !== 'features') throw new Error(envelope.kind);
  return envelope;
}

describe('the first and the last feature of a page', () => {
  test.each([
    [
      'GML',
      gml(ting('x.1', 'æ ø'), ting('x.2'), '<a:ting gml:id="x.3"/>'),
      gml(ting('x.1', 'æ ø')),
    ],
    ['GeoJSON', page(0, 3, 9), page(0, 1, 9)],
  ])('are told of %s, each without what stands between', (_, whole, alone) => {
    const three = answer(whole);
    const one = answer(alone);
    expect(first(three)).toBe(first(one));
    expect(last(one)).toBe(first(one));
    expect(last(three)).not.toBe(first(three));
  });

  test('are found however the bytes arrive, and are none of an empty page', () => {
    expect(answer(page(0, 0, 0)).envelope).toMatchObject({ first: null, last: null });
    expect(answer(gml()).envelope).toMatchObject({ first: null, last: null });
  });

  test('are the same under another identifier, and not with another content', () => {
    expect(first(answer(gml(ting('fid--1', 'a'))))).toBe(first(answer(gml(ting('fid--2', 'a')))));
    expect(first(answer(gml(ting('x.1', 'a'))))).not.toBe(first(answer(gml(ting('x.1', 'b')))));
  });
});

describe('a page without its first feature', () => {
  test.each([
    ['GML', gml(ting('x.1', 'æ'), ting('x.2'), ting('x.3')), gml('', ting('x.2'), ting('x.3'))],
    ['GeoJSON', page(0, 3, 9), page(1, 3, 9).replace('"numberReturned":2', '"numberReturned":3')],
  ])('is the page of the others: %s', (_, whole, others) => {
    const { bytes, envelope } = withoutFirst(answer(whole));
    expect(Buffer.from(bytes).toString()).toBe(others);
    expect({ ...scanned(bytes), numberReturned: 2, first: null }).toEqual(envelope);
  });

  test.each([
    ['GML', gml(ting('x.1'))],
    ['GeoJSON', page(0, 1, 9)],
  ])('is an empty page where it was alone: %s', (_, whole) => {
    const { bytes, envelope } = withoutFirst(answer(whole));
    expect(envelope).toMatchObject({ members: 0, numberMatched: 9, first: null, last: null });
    expect(scanned(bytes).members).toBe(0);
  });
});

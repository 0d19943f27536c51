/** What an upstream says of its own failure, and never what the question held of secrets. */
import { describe, expect, test } from 'vitest';
import { errorCode, errorWords, redirectTarget } from '../../src/wfs/error-words.ts';

const KEY = 'Hemmelig-9876';
const ASKED = new URL(`https://api.example/list?Register=BBR&apikey=${KEY}`);
const words = (body: string) => errorWords(Buffer.from(body), ASKED);

describe('the words of a failure', () => {
  test.each([
    ['DAF-AUTH-0001 Unauthorized', 'DAF-AUTH-0001 Unauthorized'],
    [
      '{"errors":[{"message":"Not authorised for BBR","extensions":{"code":"DAF-AUTH-0001"}}]}',
      'DAF-AUTH-0001: Not authorised for BBR',
    ],
    ['{"code":"DAF-GQL-0009","detail":"no time"}', 'DAF-GQL-0009: no time'],
    [
      '{"error":{"type":"index_not_found_exception","reason":"no such index"},"status":404}',
      'index_not_found_exception: no such index',
    ],
    ['{"status":503,"error":"Service Unavailable"}', '503: Service Unavailable'],
    ['<html><head><title>\n Vedligehold </title></head></html>', 'Vedligehold'],
    [
      '<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1"><ows:Exception exceptionCode="NoApplicableCode"><ows:ExceptionText>No such layer</ows:ExceptionText></ows:Exception></ows:ExceptionReport>',
      'NoApplicableCode: No such layer',
    ],
    ['', ''],
    ['{"ok":true}', ''],
    ['{"half', ''],
    ['PK\u0003\u0004\u0000\u0000', ''],
  ])('%s', (body, wanted) => {
    expect(words(body)).toBe(wanted);
  });

  test.each([
    `The key ${KEY} is not known`,
    `{"code":"X","message":"GET https://api.example/list?apikey=${KEY}"}`,
    `apikey=${KEY} is not known`,
    `<title>${KEY}</title>`,
  ])('never hold the key: %s', (body) => {
    expect(words(body)).not.toContain(KEY);
    expect(words(body)).not.toBe('');
  });

  test('are one short line', () => {
    const said = words(`a\n\tb ${'x'.repeat(10_000)}`);
    expect(said).toMatch(/^a b x+…$/);
    expect(said.length).toBeLessThan(210);
  });

  test('are a code alone where they may be of a person', () => {
    const code = (body: string) => errorCode(Buffer.from(body));
    expect(code('{"error":{"type":"parse_exception","reason":"12345678 Jens Hansen"}}')).toBe(
      'parse_exception',
    );
    expect(code('{"code":"Jens Hansen, 12345678"}')).toBe('');
    expect(code('Jens Hansen')).toBe('');
  });
});

test.each([
  [`https://new.example/list?apikey=${KEY}`, ' to https://new.example/list'],
  [`https://user:pw@new.example/${KEY}/list`, ' to https://new.example/…/list'],
  ['/v3/list', ' to https://api.example/v3/list'],
  ['http://[', ''],
  [undefined, ''],
])('a redirect to %s', (location, wanted) => {
  expect(redirectTarget(location, ASKED)).toBe(wanted);
});

import { describe, expect, test } from 'vitest';
import {
  askedAtDoor,
  askedShort,
  entityAsked,
  refusedIn,
  urlsIn,
} from '../../../src/web/dawa/old-url.ts';

describe('a URL of DAWA', () => {
  test.each([
    ['https://api.dataforsyningen.dk/adresser?q=ny%20gade&token=svc_x', '/adresser?q=ny+gade'],
    ['http://dawa.aws.dk/adgangsadresser/reverse?x=1&y=2', '/adgangsadresser/reverse?x=1&y=2'],
    ['/postnumre?callback=jQuery1', '/postnumre'],
    ['autocomplete?q=x', '/autocomplete?q=x'],
    ['https%3A%2F%2Fdawa.aws.dk%2Fadresser%3Fq%3Dx%25', '/adresser?q=x%25'],
    ['https://dawa.aws.dk/sogne/9001?format=geojson#kort', '/sogne/9001?format=geojson'],
    ['https://geo.example/dawa/k/svc_pub_secret/kommuner/101', '/kommuner/101'],
  ])('%s is asked here as %s', (text, path) => {
    expect(askedAtDoor(text)).toBe(path);
  });

  test.each([
    '',
    '  ',
    'no url here',
    'søg her',
    'https://',
    'https://api.dataforsyningen.dk',
    'http://[x',
  ])('is not %j', (text) => {
    expect(askedAtDoor(text)).toBeNull();
  });
});

test('a file of URLs is read line by line, log lines too, and a refusal names its parameters', () => {
  const text =
    'GET "https://api.dataforsyningen.dk/a?q=1" 200\r\n/b?x=1\n\nno url here\n/b?x=1\n/c';
  const read = ['https://api.dataforsyningen.dk/a?q=1', '/b?x=1', 'no url here', '/c'];
  expect(urlsIn(text, 9)).toEqual(read);
  expect(urlsIn('http://x/a?q=Ny gade 8&per_side=1 HTTP/1.1', 9)).toEqual([
    'http://x/a?q=Ny gade 8&per_side=1',
  ]);
  expect(urlsIn("a('http://x/a', `http://x/${b}`); // http://x/c", 9)).toEqual([
    ...['http://x/a', 'http://x/${b}', 'http://x/c'],
  ]);
  expect(urlsIn(text, 1)).toHaveLength(1);
  expect(refusedIn({ title: 'x', details: [['q', 'missing']] })).toEqual(['q: missing']);
  expect(refusedIn({ title: 'x', details: { message: 'gone' } })).toEqual(['gone']);
  expect(refusedIn({ title: 'x', details: 'beyond' })).toEqual(['beyond']);
  expect(refusedIn({ title: 'x', details: {} })).toEqual(['x']);
});

test.each([
  ['/adgangsadresser?format=csv', '/adgangsadresser?struktur=flad&per_side=20'],
  ['/adresser?q=x&format=json', '/adresser?q=x'],
  ['/sogne?format=GeoJSON', '/sogne?format=GeoJSON&per_side=1'],
  ['/postnumre?per_side=2', '/postnumre?per_side=2'],
])('%s is asked in short as %s', (path, short) => {
  expect(askedShort(path)).toBe(short);
});

test.each([
  ['/replikering/udtraek?entitet=Adresse&txid=7', 'adresse'],
  ['/replikering/haendelser', ''],
  ['/replikering/vejstykker/haendelser?sekvensnummerfra=1', 'vejstykke'],
  ['/replikering/sognetilknytninger', 'sognetilknytninger'],
  ['/replikering/senesteSekvensnummer', null],
  ['/adresser?q=x', null],
])('of %s a page asks the data model for %j', (path, entity) => {
  expect(entityAsked(path)).toBe(entity);
});

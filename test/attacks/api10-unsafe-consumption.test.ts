/**
 * OWASP API10:2023, unsafe consumption of APIs: what registers say is text, never structure. (What
 * their faults may do to answers is the fault matrix, test/faults.)
 */
import { expect, test } from 'vitest';
import { area } from '../edge/edge.ts';
import { attacked, bearer } from './attacked.ts';
import { opened } from '../support/opened.ts';

const HOSTILE = [
  '"}],"omraader":[{"tema":"kommune"',
  '</script><script>alert(1)</script>',
  '\u0000\u0008\u001f\u2028\u2029',
  '\ud800 alone',
  '{{7*7}} ${7*7} %s',
  '\r\nSet-Cookie: svc_session=x',
  'æøå 𐍈 \u202e',
];

let name = '';
const service = await opened(
  attacked({
    areas: {
      find: (theme, codes) =>
        Promise.resolve({
          generation: 1,
          value: codes.map((code) => area(theme, code, { name })),
        }),
    },
    reverseAreas: {
      at: (points) =>
        Promise.resolve({
          generation: 1,
          value: points.map((point) => ({
            point,
            areas: [{ theme: 'kommune' as const, name, code: '0999' }],
            provenance: [{ rung: 'store' as const, ageS: 1 }],
          })),
        }),
    },
  }),
);
const alice = await service.customer('business');

test.each(HOSTILE)('a name like %j comes out as the same text, in its own field', async (text) => {
  name = text;
  const headers = bearer(alice.secret);
  const one = await service.app.inject({ url: '/v1/dagi/kommune/0999', headers });
  expect(one.json<{ navn: string }>().navn.toWellFormed()).toBe(text.toWellFormed());
  const at = await service.app.inject({ url: '/v1/dagi/reverse?lon=12.1&lat=55.6', headers });
  const { omraader } = at.json<{ omraader: { navn: string }[] }>();
  expect(omraader.map(({ navn }) => navn.toWellFormed())).toEqual([text.toWellFormed()]);
  for (const answer of [one, at]) {
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  }
});

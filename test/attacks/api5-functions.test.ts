/** OWASP API5:2023, broken function level authorization: operators' functions are operators' alone. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../edge/edge.ts';
import type { PublishedDocument } from '../edge/edge.ts';
import { attacked, bearer } from './attacked.ts';
import type { Customer } from './attacked.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
let mallory: Customer;
let operations: { method: 'GET' | 'POST'; url: string }[];
beforeAll(async () => {
  mallory = await service.customer('business');
  const { paths } = service.app.swagger() as unknown as PublishedDocument;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods ?? {})
      .filter(([, operation]) => JSON.stringify(operation?.security ?? []).includes('operator'))
      .map(([method]) => ({
        method: method.toUpperCase() as 'GET' | 'POST',
        url: path.replace('{lag}', 'soe'),
      })),
  );
});

describe('every operation of operators', () => {
  test('is refused to nobody, to keys, and to customers who are signed in', async () => {
    expect(operations.length).toBeGreaterThanOrEqual(6);
    for (const { method, url } of operations) {
      const ask = (headers: Record<string, string>) =>
        service.app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) });
      expectError(await ask({}), 'unauthorized');
      expectError(await ask(bearer(mallory.secret)), 'unauthorized');
      expectError(await ask(bearer(mallory.browser.token)), 'unauthorized');
      const signedIn = await mallory.browser.ask({
        method,
        url,
        ...(method === 'POST' && { payload: {} }),
      });
      expectError(signedIn, 'forbidden');
      // In the address the token is not taken, whoever holds it.
      const { app } = service;
      const named = await app.inject({
        method,
        url: `${url}?token=opdigtet-driftsnoegle-til-proeven`,
      });
      expect(named.statusCode).toBeGreaterThanOrEqual(400);
    }
  });
});

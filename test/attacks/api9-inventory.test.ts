/** OWASP API9:2023, improper inventory: what answers is in the document, and nothing else answers. */
import { expect, test } from 'vitest';
import { expectError } from '../edge/edge.ts';
import type { PublishedDocument } from '../edge/edge.ts';
import { attacked } from './attacked.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());

/** Pages and their files, and the document itself: for people, so not in it. */
const PAGES =
  /^\/(?:$|(?:docs|drift|forhold|job|konto|kort|log-ind|web|favicon\.ico|robots\.txt|openapi\.json)(?:\/|$))/;

/** The framework prints a tree: a line's path goes on from the nearest line less deep. */
function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^(.*?)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.splice(depth, Infinity, part);
    return methods
      .split(', ')
      .filter((method) => !['', 'HEAD', 'OPTIONS'].includes(method))
      .map((method) => `${method} ${above.join('')}`);
  });
}

test('every route is an operation of the document or a file of a page', () => {
  const { paths } = service.app.swagger() as unknown as PublishedDocument;
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routes = routesOf(service.app.printRoutes({ commonPrefix: false }));
  expect(routes.length).toBeGreaterThan(20);
  const asDocumented = (route: string) =>
    route.replaceAll('::', ':').replaceAll(/(\/):(\w+)/g, '$1{$2}');
  const hidden = routes
    .map(asDocumented)
    .filter((route) => !documented.includes(route) && !PAGES.test(route.split(' ')[1] ?? ''));
  expect(hidden).toEqual([]);
});

test.each([
  ...['/v0', '/v2', '/api', '/admin', '/internal', '/debug', '/metrics/', '/.env', '/.git/config'],
])('nothing lives at %s', async (path) => {
  for (const url of [path, `${path}/natur/byggelinjer`]) {
    expectError(await service.app.inject(url), 'not_found');
  }
});

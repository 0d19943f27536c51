/** What swagger-ui draws of an operation: its schemas in the place of their names. */
import { expect, test } from 'vitest';
import { withSchemas } from '../../../src/web/docs/references.ts';

const DOCUMENT = {
  paths: { '/a': { get: { answers: [{ $ref: '#/components/schemas/Outer' }, null, 2] } } },
  components: {
    schemas: {
      Outer: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
      Inner: { type: 'string' },
      Tree: { items: { $ref: '#/components/schemas/Tree' } },
    },
  },
};

test('puts each schema in the place of its reference, with its name', () => {
  const inner = { type: 'string', $$ref: '#/components/schemas/Inner' };
  const outer = { properties: { inner }, $$ref: '#/components/schemas/Outer' };
  const operation = withSchemas(DOCUMENT, ['paths', '/a', 'get']);
  expect(operation).toEqual({ answers: [outer, null, 2] });
});

test('ends at a schema inside itself, and where the document has nothing', () => {
  const tree = { $ref: '#/components/schemas/Tree' };
  expect(withSchemas({ ...DOCUMENT, tree }, ['tree'])).toEqual({
    items: tree,
    $$ref: tree.$ref,
  });
  expect(withSchemas(DOCUMENT, ['paths', '/b', 'get'])).toBeUndefined();
});

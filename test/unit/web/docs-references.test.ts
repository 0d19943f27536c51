import { expect, test } from 'vitest';
import { withSchemas } from '../../../src/web/docs/references.ts';

test('/docs has each schema in the place of its reference, with its name', () => {
  const ref = (name: string) => `#/components/schemas/${name}`;
  const schemas = { Outer: { inner: { $ref: ref('Inner') } }, Inner: { type: 'string' } };
  const document = { paths: { '/a': [{ $ref: ref('Outer') }, null] }, components: { schemas } };
  const outer = { inner: { type: 'string', $$ref: ref('Inner') }, $$ref: ref('Outer') };
  expect(withSchemas(document, ['paths', '/a'])).toEqual([outer, null]);
  expect(withSchemas(document, ['paths', '/b', 'get'])).toBeNull();
});

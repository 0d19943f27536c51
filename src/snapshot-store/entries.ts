import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { seal, unseal } from '../kernel/sealed.ts';
import type { Sealing } from '../kernel/sealed.ts';

const HASH = /^[0-9a-f]{64}$/;

const fileSchema = Type.Object({
  ending: Type.String({ pattern: '^[a-z]{2,8}$' }),
  sha256: Type.String({ pattern: HASH.source }),
  bytes: Type.Integer({ minimum: 1 }),
});

export const entrySchema = Type.Object({
  stem: Type.String({ pattern: String.raw`^[\w-]{1,100}$` }),
  files: Type.Array(fileSchema, { minItems: 1, maxItems: 8 }),
});

/** Contains what a front had in service. Its loader judges `published`. */
export const manifestSchema = Type.Object({
  generation: Type.Integer({ minimum: 0 }),
  writtenAtMs: Type.Number({ minimum: 0 }),
  published: Type.Unknown(),
  entries: Type.Array(entrySchema, { maxItems: 200 }),
});

/** Its reader judges `content`. */
export const lastKnownSchema = Type.Object({
  stores: Type.Array(Type.String(), { maxItems: 8 }),
  content: Type.Unknown(),
});

export type StoredFile = Static<typeof fileSchema>;
export type VersionEntry = Static<typeof entrySchema>;
export type SharedManifest = Static<typeof manifestSchema>;

export function sealed(content: object, sealing: Sealing): Uint8Array {
  return Buffer.from(seal(content, sealing));
}

/** null: damaged, of another form, or not sealed with one of our keys. */
export function unsealed<S extends TSchema>(
  bytes: Uint8Array,
  schema: S,
  sealing: Sealing,
): Static<S> | null {
  const content = unseal(Buffer.from(bytes).toString('utf8'), sealing);
  return Value.Check(schema, content) ? content : null;
}

import type { TSchema } from 'typebox';

export interface LiveSettings {
  readonly key: string;
  readonly schema: TSchema;
}

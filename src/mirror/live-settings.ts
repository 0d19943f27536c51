/** What SOURCES_FILE may set for a source that is only asked live. */
import type { TSchema } from 'typebox';

export interface LiveSettings {
  readonly key: string;
  readonly schema: TSchema;
}

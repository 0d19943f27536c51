/** What SOURCES_FILE may say of a source that is asked live and mirrored nowhere. */
import type { TSchema } from 'typebox';

export interface LiveSettings {
  /** Its key in the file. */
  readonly key: string;
  readonly schema: TSchema;
}

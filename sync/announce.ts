/**
 * Only inside this process; others learn a new version from the generation in every answer's
 * statement.
 */
import type { Publication, SyncDeps } from './deps.ts';

/** Never throws: the version is already published. */
export function announce(
  deps: Pick<SyncDeps, 'onPublished' | 'log'>,
  published: Publication,
): void {
  deps.log.info({ ...published }, 'layer published');
  try {
    deps.onPublished?.(published);
  } catch (error) {
    deps.log.error({ err: error, layer: published.layer }, 'a listener of publications failed');
  }
}

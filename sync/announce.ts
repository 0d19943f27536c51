/**
 * After the commit: tells this process of a new version. Other processes learn it from the
 * generation that every answer's statement reads anyway, so nothing is lost when nobody listens.
 */
import type { Publication, SyncDeps } from './deps.ts';

/** Never throws: the version is published, whatever a listener makes of it. */
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

/** The one whole service of a run, kept by vitest's own process: its start costs what a dozen pages do. */
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listening } from './free-port.ts';
import { isHeavy } from './run-settings.ts';
import { generousPlans } from './steady-load.ts';
import type { Template } from './store-templates.ts';
import { cloneStore } from './store-templates.ts';
import type { WholeService } from './whole-service.ts';

/** What a suite needs to use it. */
export interface OfferedService extends Pick<WholeService, 'base' | 'key' | 'operatorToken'> {
  /** null: the store is an embedded one, which is the program's alone. */
  readonly store: { readonly databaseUrl: string; readonly dataDir: string } | null;
}

/** Pages come from addresses of their own (`visitor`), or they would share what one reader may ask. */
const SETTINGS = {
  ...{ TRUSTED_PROXIES: '127.0.0.1', KORT_PER_SECOND: '500' },
  ...{ DAWA: 'on', DESIGN_PAGE: 'on', UPSTREAM_KEYS_END: '2099-01-01' },
  WEBHOOK_KEY: Buffer.alloc(32, 7).toString('base64'),
};

/** The first request starts it, over a clone of the database it names; each answer is an `OfferedService`. */
export async function offerWholeService(
  template: Template,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  let started: Promise<WholeService> | undefined;
  const start = async (source: string): Promise<WholeService> => {
    const { startWholeService } = await import('./whole-service.ts');
    const store = template.kind === 'postgres' ? await cloneStore({ ...template, source }) : null;
    // An embedded one has a single key, whose plan the suites of a night would use up.
    const isShared = store === null && isHeavy;
    const plans = isShared && { PLANS_FILE: generousPlans(mkdtempSync(join(tmpdir(), 'plans-'))) };
    return await startWholeService(store, { ...SETTINGS, ...plans });
  };
  const offered = async (source: string): Promise<OfferedService> => {
    started ??= start(source).catch((error: unknown) => {
      // The next who asks tries again.
      started = undefined;
      throw error;
    });
    const { base, key, operatorToken, store } = await started;
    const { databaseUrl = null, dataDir = '' } = store ?? {};
    const place = databaseUrl === null ? null : { databaseUrl, dataDir };
    return { base, key, operatorToken, store: place };
  };
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    void offered(searchParams.get('source') ?? '').then(
      (service) => response.end(JSON.stringify(service)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      const service = await started?.catch(() => undefined);
      await service?.close();
    },
  };
}

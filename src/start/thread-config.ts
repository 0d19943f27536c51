import type { Config } from '../config.ts';
import type { SharedThreadMemory } from './thread-role.ts';
import type { OperatorService } from '../ops/operator-service.ts';

export interface RequestThreadSettings {
  /** Made by `configOfThread`. */
  readonly config: Config;
  readonly port: number;
  readonly sampleUrl: string | null;
  /** A thread cannot detect it. */
  readonly isTerminal: boolean;
  readonly shared: SharedThreadMemory;
  readonly operator: Pick<OperatorService, 'can' | 'liftableGuards'>;
}

/** The first thread runs jobs, webhooks and the sync. */
export function configOfThread(config: Config): Config {
  const { workOfOthers: threads } = config.plan;
  return { ...config, threads, jobs: false, webhooks: false, sync: false };
}

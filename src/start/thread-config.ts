/** What a request thread is told at its start. */
import type { Config } from '../config.ts';
import type { SharedThreadMemory } from './thread-role.ts';
import type { OperatorService } from '../ops/operator-service.ts';

export interface RequestThreadSettings {
  /** As `configOfThread` makes it. */
  readonly config: Config;
  readonly port: number;
  readonly sampleUrl: string | null;
  /** Whether its log is read on one: a thread cannot see. */
  readonly isTerminal: boolean;
  readonly shared: SharedThreadMemory;
  readonly operator: Pick<OperatorService, 'can' | 'liftableGuards'>;
}

/** Jobs, webhooks and the sync are the first thread's. */
export function configOfThread(config: Config): Config {
  const { workOfOthers: threads } = config.plan;
  return { ...config, threads, jobs: false, webhooks: false, sync: false };
}

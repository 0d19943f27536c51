import type { Clock } from '../kernel/clock.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { Login, RegisterSettings } from './live-settings.ts';

export interface LiveOutcome {
  readonly layer: string;
  /** One line without secrets or personal data. */
  readonly state: 'answered' | 'failed' | 'not-asked';
  readonly detail: string;
}

export interface LiveQuestion {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly login: Login | null;
  readonly keys: Readonly<Partial<Record<string, string>>>;
  readonly settings: Pick<RegisterSettings, 'live'>;
  /** Throws where the host takes no connection; absent: not tried first. */
  readonly reach?: (address: string) => Promise<void>;
}

/** Never rejects. */
export type DryRun = (question: LiveQuestion) => Promise<readonly LiveOutcome[]>;

/** Without the secrets that were sent. */
export function reasonOf(error: unknown, secrets: readonly string[]): string {
  const text = error instanceof Error ? error.message : String(error);
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text);
}

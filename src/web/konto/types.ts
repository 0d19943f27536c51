import type { renderActs } from '../../http/v1/me/act-routes.ts';
import type { renderList } from '../../http/v1/me/watch-routes.ts';
import type {
  renderAccount,
  renderBillLine,
  renderKey,
  renderLimits,
  renderMinted,
  renderPerson,
  renderUsage,
} from '../../http/v1/me/render.ts';
import type {
  renderDelivery,
  renderNewWebhook,
  renderWebhook,
} from '../../http/v1/webhooks/render.ts';

export type ActsPage = ReturnType<typeof renderActs>;

export interface Me {
  readonly account: ReturnType<typeof renderAccount>;
  /** Who is signed in; null: a key asks. */
  readonly person: Person | null;
  readonly limits: ReturnType<typeof renderLimits>;
}

export type Person = ReturnType<typeof renderPerson>;
export type Role = Person['roles'][number];

export interface Alarm {
  /** Live units of a month; null: none is set. */
  readonly units: number | null;
  /** The service can send letters. */
  readonly mailed: boolean;
}

export type Key = ReturnType<typeof renderKey>;
export type Environment = Key['environment'];
export type MintedKey = ReturnType<typeof renderMinted>;

export type Usage = ReturnType<typeof renderUsage>;
export type UsageTotal = Usage[Environment];
/** What one key used of one operation on one day. */
export type UsageRow = Usage['days'][number];
export type BillLine = ReturnType<typeof renderBillLine>;

export interface WantedKey {
  readonly name: string;
  readonly environment: string;
  readonly kind?: 'public';
  readonly origins?: readonly string[];
  readonly permission?: string;
}

export type Webhook = ReturnType<typeof renderWebhook>;
export type NewWebhook = ReturnType<typeof renderNewWebhook>;
export type Delivery = ReturnType<typeof renderDelivery>;

export type WatchList = ReturnType<typeof renderList>;

/** What operators see of webhooks: deliveries in the store, and this process's work. */
import type { WebhookFacts } from './dispatch-store.ts';
import type { DispatcherView } from './dispatcher.ts';

export interface WebhookView {
  readonly facts: WebhookFacts;
  /** null: this process sends none. */
  readonly dispatcher: DispatcherView | null;
}

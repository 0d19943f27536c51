import type { Config } from '../config.ts';
import { listen } from '../db/listen.ts';
import type { Listener } from '../db/listen.ts';
import { ActivityProbe } from '../metering/activity-probe.ts';
import { journalDirectory } from '../metering/journal.ts';
import { createAddressGuard } from '../webhooks/address-guard.ts';
import { isLoopback } from '../kernel/client-address.ts';
import { createDeliverer } from '../webhooks/deliver.ts';
import {
  WEBHOOK_CHANNEL,
  readNotice,
  readSealedSecrets,
  resealSecret,
} from '../webhooks/dispatch-store.ts';
import { Dispatcher } from '../webhooks/dispatcher.ts';
import { createResolver } from '../webhooks/resolver.ts';
import type { Resolve } from '../webhooks/resolver.ts';
import { createSealer, sealingKeyOf } from '../webhooks/seal.ts';
import type { Sealer } from '../webhooks/seal.ts';
import { parseKey } from '../kernel/key-bytes.ts';
import { createTransport } from '../webhooks/transport.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { DispatcherOptions } from '../webhooks/dispatcher.ts';

/** For tests and benchmarks; never a setting. */
export interface WebhookNetwork {
  readonly resolve: Resolve;
  readonly permits: (address: string) => boolean;
  readonly ca: string;
  readonly attemptMs?: number;
}

export interface WebhookParts extends Pick<DispatcherOptions, 'store' | 'clock' | 'log' | 'times'> {
  readonly config: Pick<
    Config,
    | 'databaseUrl'
    | 'dataDir'
    | 'webhooks'
    | 'webhookKey'
    | 'webhookKeyOld'
    | 'webhookLoopback'
    | 'webhookProxy'
  >;
  readonly network?: WebhookNetwork;
  /** Called when a delivery is due; absent: wakes the dispatcher here. */
  readonly onDue?: () => void;
}

export interface ComposedWebhooks {
  readonly webhooks: Webhooks;
  /** null: sends none (`WEBHOOKS=off`, or no key for secrets). */
  readonly dispatcher: Dispatcher | null;
  /** Call when the tables exist. */
  start(): void;
  /** Call before the store closes. */
  stop(): Promise<void>;
}

export function composeWebhooks(parts: WebhookParts): ComposedWebhooks {
  const { config, store, clock, log, network, times } = parts;
  const sealer = sealerOf(config);
  const guard = createAddressGuard({
    resolve: network?.resolve ?? createResolver(),
    permits: network?.permits ?? permitsBy(config),
  });
  const transport = createTransport({
    proxy: config.webhookProxy,
    ...(network && { ca: network.ca }),
  });
  const attemptMs = network?.attemptMs !== undefined && { attemptMs: network.attemptMs };
  const deliverer = sealer && createDeliverer({ guard, transport, sealer, clock, ...attemptMs });
  const dispatcher =
    config.webhooks && deliverer !== null
      ? new Dispatcher({
          ...{ store, deliverer, clock, log, ...(times && { times }) },
          isAnswering: answeringOf(config),
        })
      : null;
  const webhooks = createWebhooks({
    ...{ store, clock, guard },
    sealing: sealer && deliverer && { sealer, deliverer },
    onDue: dueTo(dispatcher, parts),
  });
  let listener: Listener | null = null;
  return {
    webhooks,
    dispatcher,
    start: () => {
      if (dispatcher === null) return;
      if (store.kind === 'postgres') {
        listener ??= listen(store, WEBHOOK_CHANNEL, (text) => {
          const notice = readNotice(text);
          if (notice === null) dispatcher.nudge();
          else dispatcher.tell(notice);
        });
      }
      if (sealer !== null) resealInBackground({ store, log }, sealer);
      dispatcher.start();
    },
    stop: async () => {
      await listener?.stop();
      await dispatcher?.stop();
      await transport.close();
    },
  };
}

function dueTo(dispatcher: Dispatcher | null, { onDue }: WebhookParts): () => void {
  return onDue ?? (() => dispatcher?.nudge());
}

function answeringOf({ dataDir }: WebhookParts['config']): () => boolean {
  const answering = new ActivityProbe(journalDirectory(dataDir));
  return () => answering.isUnderWay();
}

/** Only public addresses; in a trial also this machine. */
function permitsBy({ webhookLoopback }: WebhookParts['config']): (address: string) => boolean {
  return webhookLoopback ? isLoopback : () => false;
}

/** An embedded store makes its own key; a server has one by setting, or none (D102). */
function sealerOf({
  databaseUrl,
  dataDir,
  webhookKey,
  webhookKeyOld,
}: WebhookParts['config']): Sealer | null {
  const set = [webhookKey, webhookKeyOld].flatMap((text) =>
    text === null ? [] : [parseKey(text)],
  );
  const own = databaseUrl === null ? [sealingKeyOf(dataDir)] : [];
  const [first, ...others] = [...set, ...own].filter((key) => key !== null);
  return first === undefined ? null : createSealer([first, ...others]);
}

/** After a rotation: reseals with the new key. */
function resealInBackground(
  { store, log }: Pick<WebhookParts, 'store' | 'log'>,
  sealer: Sealer,
): void {
  const reseal = async (): Promise<void> => {
    const all = await readSealedSecrets(store);
    for (const each of all.filter(({ sealed }) => sealer.isOutdated(sealed))) {
      const secret = sealer.open(each.sealed, each.endpointId);
      if (secret === null) continue;
      await resealSecret(store, each, sealer.seal(secret, each.endpointId));
    }
  };
  reseal().catch((error: unknown) => {
    log.warn({ component: 'webhooks', err: error }, 'secrets could not be sealed anew at start');
  });
}

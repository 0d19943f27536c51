/**
 * Known keys are in memory; unknown ones are asked for in batches. A new account revision refreshes
 * all; without the store, known keys keep working.
 */
import { Rounds } from '../kernel/rounds.ts';
import { cacheByCount, cacheOfRecent } from '../kernel/cache.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LastKnownFile, SharedLastKnown } from '../kernel/last-known-file.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { KEY_CHARS, digestOf, formOf } from './key-format.ts';
import { KeyQuestions } from './key-questions.ts';
import { isTooOld, readLastKeys, saveLastKeys, shareLastKeys } from './last-keys.ts';
import type { LastKeys } from './last-keys.ts';
import type { KeyRecord, KeyRing, Principal } from './principal.ts';

export interface KeysRead {
  readonly revision: number;
  readonly keys: readonly KeyRecord[];
}

export interface KeyUse {
  readonly keyId: string;
  readonly usedAtMs: number;
}

/** Each throws when the store does not answer. */
export interface KeyRingDeps {
  /** Most recently used first, at most ACCOUNT_LIMITS.keysKnown. */
  readonly readWorkingKeys: (most: number) => Promise<KeysRead>;
  readonly readKeys: (digests: readonly string[]) => Promise<KeysRead>;
  readonly readRevision: () => Promise<number>;
  readonly recordUse: (uses: readonly KeyUse[]) => Promise<void>;
  readonly clock: Clock;
  /** Between revision checks. */
  readonly pollMs: number;
  readonly limiters?: Limiters | undefined;
  /** Absent: none are kept. */
  readonly last?: LastKnownFile | undefined;
  /** Shared by all fronts; absent: none. */
  readonly sharedLast?: SharedLastKnown | undefined;
  /** Absent: always available. */
  readonly isStoreUnavailable?: (() => boolean) | undefined;
}

interface Known {
  readonly digest: string;
  principal: Principal;
  expiresAtMs: number | null;
  revision: number;
  /** 0: not since the last write. */
  usedAtMs: number;
}

const REFUSED = {};

export class StoredKeyRing implements KeyRing {
  readonly #deps: KeyRingDeps;
  readonly #known = cacheOfRecent<Known>(ACCOUNT_LIMITS.keysKnown, (pushedOut) =>
    this.#keepUse(pushedOut),
  );
  /** Saves hashing, which costs more than all other work on a key. */
  readonly #recent = cacheOfRecent<{ readonly digest: string }>(
    ACCOUNT_LIMITS.secretsRecent,
    () => undefined,
  );
  readonly #refused = cacheByCount<object>(
    ACCOUNT_LIMITS.keysRefused,
    ACCOUNT_LIMITS.keysRefusedMs,
  );
  readonly #questions: KeyQuestions;
  /** Keys that ended: refused while the store cannot be asked. */
  readonly #ended = cacheOfRecent<object>(ACCOUNT_LIMITS.keysEndedKept, () => undefined);
  /** Keys forgotten after a change; the next read tells whether they ended. */
  readonly #unsure = new Set<string>();
  /** From an earlier run, until the store has answered; null: none. */
  #last: (Omit<LastKeys, 'keys'> & { readonly keys: ReadonlyMap<string, Known> }) | null = null;
  #savedAtMs = -Infinity;
  #isSaved = false;
  #sharedAtMs = -Infinity;
  #isShared = false;
  #lookedAtMs = -Infinity;
  readonly #recalled = Promise.withResolvers<undefined>();
  /** Unwritten uses of evicted keys. */
  readonly #uses = new Map<string, number>();
  readonly #rounds = new Rounds();
  readonly #filled = Promise.withResolvers<undefined>();
  #isFilled = false;
  /** Of everything known; null: nothing was read yet. */
  #revision: number | null = null;
  /** Reads below this revision are older than a change made here. */
  #floor = 0;
  #refreshing: Promise<void> | null = null;
  #recalling: Promise<void> | null = null;
  #writtenAtMs = performance.now();

  constructor(deps: KeyRingDeps) {
    this.#deps = deps;
    this.#questions = new KeyQuestions((digests) => this.#learn(digests), deps.limiters);
  }

  find(secret: string, client: string | null = ''): Principal | null | Promise<Principal | null> {
    if (secret.length < KEY_CHARS.min || secret.length > KEY_CHARS.max) return null;
    const recent = this.#recent.get(secret);
    const digest = recent?.digest ?? digestOf(secret);
    const known = this.#known.get(digest) ?? this.#lastKnown(digest);
    if (known !== undefined) {
      if (recent === undefined) this.#recent.set(secret, { digest });
      return this.#admit(known);
    }
    if (formOf(secret) === null || this.#refused.get(digest) !== undefined) return null;
    if (this.#isStoreUnavailable && this.#ended.get(digest) !== undefined) return null;
    return client === null ? null : this.#questions.ask(digest, client);
  }

  /** The store has been read or answers, or an earlier run's keys count. */
  get canKnowCallers(): boolean {
    if (this.#isFilled || !this.#isStoreUnavailable) return true;
    const last = this.#last;
    return last !== null && last.keys.size > 0 && !isTooOld(last, this.#deps.clock.nowMs());
  }

  get filled(): Promise<void> {
    return this.#filled.promise;
  }

  /** Resolves when keys of an earlier run or another front were read. */
  get recalled(): Promise<void> {
    return this.#recalled.promise;
  }

  start(): void {
    this.#rounds.start(() => this.#round());
  }

  nudge(): void {
    this.#rounds.wake();
  }

  /** Forgets affected keys, and ignores reads from before the change. */
  changed(revision: number, touches: (principal: Principal) => boolean): void {
    this.#floor = Math.max(this.#floor, revision);
    for (const [digest, known] of [...this.#known.entries()]) {
      if (touches(known.principal)) this.#forget(digest, known);
    }
    this.#refused.clear();
    this.nudge();
  }

  async refresh(): Promise<void> {
    this.#refreshing ??= this.#relearn().finally(() => {
      this.#refreshing = null;
    });
    await this.#refreshing;
  }

  async recordUse(): Promise<void> {
    for (const [, known] of this.#known.entries()) this.#keepUse(known);
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses].map(([keyId, usedAtMs]) => ({ keyId, usedAtMs }));
    await this.#deps.recordUse(uses);
    for (const { keyId, usedAtMs } of uses) {
      if (this.#uses.get(keyId) === usedAtMs) this.#uses.delete(keyId);
    }
  }

  get sizes(): { readonly known: number; readonly refused: number; readonly asked: number } {
    return {
      known: this.#known.size,
      refused: this.#refused.size,
      asked: this.#questions.size,
    };
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.recordUse().catch(() => undefined);
  }

  get #isStoreUnavailable(): boolean {
    return this.#deps.isStoreUnavailable?.() === true;
  }

  #lastKnown(digest: string): Known | undefined {
    const last = this.#last;
    if (last === null || !this.#isStoreUnavailable) return undefined;
    return isTooOld(last, this.#deps.clock.nowMs()) ? undefined : last.keys.get(digest);
  }

  #admit(known: Known): Principal | null {
    const nowMs = this.#deps.clock.nowMs();
    if (known.expiresAtMs !== null && nowMs >= known.expiresAtMs) return null;
    known.usedAtMs = nowMs;
    return known.principal;
  }

  async #learn(digests: readonly string[]): Promise<ReadonlyMap<string, Principal | null>> {
    const { revision, keys } = await this.#read(() => this.#deps.readKeys(digests));
    for (const { digest, principal, expiresAtMs } of keys) {
      this.#known.set(digest, { digest, principal, expiresAtMs, revision, usedAtMs: 0 });
      this.#ended.delete(digest);
      this.#isSaved = this.#isShared = false;
    }
    const answers = new Map<string, Principal | null>();
    for (const digest of digests) {
      const known = this.#known.get(digest);
      if (known === undefined) this.#refused.set(digest, REFUSED);
      answers.set(digest, known === undefined ? null : this.#admit(known));
    }
    // Other known keys have an older revision.
    if (revision !== this.#revision) this.nudge();
    return answers;
  }

  async #relearn(): Promise<void> {
    let asked: readonly string[] = [];
    const { revision, keys } = await this.#read(() => {
      asked = [...this.#known.entries()].map(([key]) => key).concat([...this.#unsure]);
      return this.#deps.readKeys(asked);
    });
    this.#learnEnded(asked, keys);
    for (const { digest, principal, expiresAtMs } of keys) {
      const known = this.#known.get(digest);
      if (known !== undefined) Object.assign(known, { principal, expiresAtMs, revision });
    }
    // Either is asked for again when used.
    for (const [digest, known] of [...this.#known.entries()]) {
      if (known.revision !== revision) this.#forget(digest, known);
    }
    if (revision !== this.#revision) this.#refused.clear();
    this.#revision = revision;
    this.#floor = revision;
  }

  #learnEnded(asked: readonly string[], working: readonly KeyRecord[]): void {
    const there = new Set(working.map(({ digest }) => digest));
    for (const digest of asked) {
      if (there.has(digest)) this.#ended.delete(digest);
      else this.#ended.set(digest, REFUSED);
      this.#unsure.delete(digest);
    }
    this.#isSaved = this.#isShared = false;
  }

  /** Reads at least as new as every change known here. */
  async #read(ask: () => Promise<KeysRead>): Promise<KeysRead> {
    for (;;) {
      const floor = this.#floor;
      const read = await ask();
      // A revision below the earlier floor is another history (a restored store).
      if (read.revision >= this.#floor || read.revision < floor) return read;
    }
  }

  async #round(): Promise<number> {
    await (this.#recalling ??= this.#recall());
    await this.#recallShared();
    this.#recalled.resolve(undefined);
    // The store is unavailable: known keys stay.
    await this.#look()
      .then(() => {
        this.#share();
        return this.#save();
      })
      .catch(() => undefined);
    if (performance.now() - this.#writtenAtMs >= ACCOUNT_LIMITS.keyUseMs) {
      this.#writtenAtMs = performance.now();
      await this.recordUse().catch(() => undefined);
    }
    return this.#deps.pollMs;
  }

  /** Retried with each check until it succeeds. */
  async #fill(): Promise<void> {
    const { revision, keys } = await this.#read(() =>
      this.#deps.readWorkingKeys(ACCOUNT_LIMITS.keysKnown),
    );
    // Most recent last, so that they are evicted last.
    for (const { digest, principal, expiresAtMs } of keys.toReversed()) {
      const usedAtMs = this.#known.get(digest)?.usedAtMs ?? 0;
      this.#known.set(digest, { digest, principal, expiresAtMs, revision, usedAtMs });
    }
    this.#isFilled = true;
    this.#forgetLast();
    this.#filled.resolve(undefined);
  }

  async #look(): Promise<void> {
    if (!this.#isFilled) await this.#fill();
    if ((await this.#deps.readRevision()) !== this.#revision) await this.refresh();
  }

  /** An earlier run's keys count only until the store first answers. */
  async #recall(): Promise<void> {
    const { last, clock } = this.#deps;
    if (last === undefined) return;
    const kept = await readLastKeys(last, clock.nowMs());
    if (kept !== null) this.#believe(kept);
  }

  /** Another front may have keys: retries until the store first answers. */
  async #recallShared(): Promise<void> {
    const { last, sharedLast, clock } = this.#deps;
    const isDue = performance.now() - this.#lookedAtMs >= ACCOUNT_LIMITS.keysShared.lookMs;
    if (sharedLast === undefined || this.#isFilled || !this.#isStoreUnavailable || !isDue) return;
    this.#lookedAtMs = performance.now();
    const kept = await readLastKeys(sharedLast, clock.nowMs());
    if (kept === null || kept.confirmedAtMs <= (this.#last?.confirmedAtMs ?? 0)) return;
    this.#believe(kept);
    // For the other request threads.
    if (last?.writes === true) await saveLastKeys(last, kept).catch(() => undefined);
  }

  #believe(kept: LastKeys): void {
    for (const digest of kept.ended) this.#ended.set(digest, REFUSED);
    const keys = kept.keys.map(
      (key) => [key.digest, { ...key, revision: 0, usedAtMs: 0 }] as const,
    );
    this.#last = { ...kept, keys: new Map(keys) };
  }

  #forgetLast(): void {
    for (const [, known] of this.#last?.keys ?? []) this.#keepUse(known);
    this.#last = null;
  }

  #share(): void {
    const { sharedLast } = this.#deps;
    const ageMs = performance.now() - this.#sharedAtMs;
    const { leastMs, mostMs } = ACCOUNT_LIMITS.keysShared;
    if (sharedLast === undefined || ageMs < (this.#isShared ? mostMs : leastMs)) return;
    this.#sharedAtMs = performance.now();
    this.#isShared = true;
    shareLastKeys(sharedLast, this.#knownNow());
  }

  #knownNow(): LastKeys {
    const keys = [...this.#known.entries()].map(([, known]) => known);
    const ended = [...this.#ended.entries()].map(([digest]) => digest);
    return { confirmedAtMs: this.#deps.clock.nowMs(), keys, ended };
  }

  async #save(): Promise<void> {
    const { last } = this.#deps;
    const isDue = performance.now() - this.#savedAtMs >= ACCOUNT_LIMITS.keysLastSavedMs;
    if (last?.writes !== true || (this.#isSaved && !isDue)) return;
    this.#savedAtMs = performance.now();
    this.#isSaved = true;
    await saveLastKeys(last, this.#knownNow());
  }

  #forget(digest: string, known: Known): void {
    this.#keepUse(known);
    if (this.#unsure.size < ACCOUNT_LIMITS.keysEndedKept) this.#unsure.add(digest);
    this.#known.delete(digest);
  }

  #keepUse(known: Known): void {
    if (known.usedAtMs === 0) return;
    const { keyId } = known.principal;
    if (this.#uses.size < ACCOUNT_LIMITS.keysKnown || this.#uses.has(keyId)) {
      this.#uses.set(keyId, known.usedAtMs);
    }
    known.usedAtMs = 0;
  }
}

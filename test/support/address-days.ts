/** Days at the register of addresses, by chance: what a reader of the log must come through, each published or refused. */
import { expect } from 'vitest';
import { ADDRESSES } from '../../src/layers/keys.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { breakRows } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';

type Random = () => number;
export type Fate =
  | 'changed'
  | 'ended'
  | 'back again'
  | 'merged municipality'
  | 'renumbered roads'
  | 'dated'
  | 'unread'
  | 'refused'
  | 'released'
  | 'stepped back';

const FIRST_MS = Date.UTC(2026, 9, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Of what is asked for, in a day. */
const SHARE = 0.02;

const isOpen = (row: TableRow): boolean =>
  row['registreringTil'] === null && row['virkningTil'] === null;
const timeOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

export class AddressDays {
  readonly #bench: AddressBench;
  readonly #random: Random;
  readonly #ended: TableRow[] = [];
  readonly seen = new Set<Fate>();
  #day = 0;

  constructor(bench: AddressBench, random: Random) {
    this.#bench = bench;
    this.#random = random;
  }

  /** One more; the store has what it brought, or what it had. */
  async next(): Promise<Fate> {
    const fates: Readonly<Record<Fate, () => Promise<void>>> = {
      changed: () => this.#changed(),
      ended: () => this.#end(),
      'back again': () => this.#comeBack(),
      'merged municipality': () => this.#merge(),
      'renumbered roads': () => this.#renumber(),
      dated: () => this.#dated(),
      unread: () => this.#unread(),
      refused: () => this.#refused(false),
      released: () => this.#refused(true),
      'stepped back': () => this.#stepBack(),
    };
    this.#day += 1;
    const names = Object.keys(fates) as Fate[];
    const fate = names[this.#day <= names.length ? this.#day - 1 : this.#below(names.length)]!;
    this.seen.add(fate);
    await fates[fate]();
    return fate;
  }

  get #at(): string {
    return timeOf(FIRST_MS + this.#day * MINUTE_MS);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #some(entity: SampleEntity, share = SHARE): readonly TableRow[] {
    const open = this.#bench.shelf.rows(entity).filter(isOpen);
    const some = open.filter(() => this.#random() < share);
    return some.length > 0 ? some : open.slice(0, 1);
  }

  #change(entity: SampleEntity, close: readonly TableRow[], open: readonly TableRow[] = []): void {
    this.#bench.shelf.change(entity, { at: this.#at, close, open });
    if (this.#random() < 0.3) this.#bench.shelf.renew(entity);
  }

  /** As the register writes it: the old row ends in effect, the new one begins. */
  #rewrite(entity: SampleEntity, rows: readonly TableRow[], cells: (n: number) => TableRow): void {
    const at = this.#at;
    const open = rows.flatMap((row, n) => {
      const next = { ...row, ...cells(n), virkningFra: at };
      return n % 2 === 0 ? [{ ...row, virkningTil: at }, next] : [next];
    });
    this.#change(entity, rows, open);
  }

  async #publish(): Promise<void> {
    const outcome = await this.#bench.sync({ liftedGuards: LIFTABLE_GUARDS });
    expect(['published', 'unchanged'], JSON.stringify(outcome)).toContain(outcome.state);
  }

  async #changed(): Promise<void> {
    const name = `Dag ${this.#day}`;
    this.#rewrite('NavngivenVej', this.#some('NavngivenVej'), (n) => ({ vejnavn: `${name} ${n}` }));
    this.#rewrite('Adresse', this.#some('Adresse'), () => ({ status: '4' }));
    await this.#publish();
  }

  async #end(): Promise<void> {
    const rows = this.#some('Adresse');
    this.#ended.push(...rows);
    this.#change('Adresse', rows);
    await this.#publish();
  }

  async #comeBack(): Promise<void> {
    const rows = this.#ended.splice(0, 1 + this.#below(this.#ended.length));
    const open = rows.map((row) => ({ ...row, virkningFra: this.#at }));
    this.#change('Adresse', [], open);
    await this.#publish();
  }

  /** All that is one municipality's becomes another's. */
  async #merge(): Promise<void> {
    const parts = this.#bench.shelf.rows('NavngivenVejKommunedel').filter(isOpen);
    const codes = [...new Set(parts.map(({ kommune }) => kommune))];
    const [from, to] = [codes[this.#below(codes.length)], codes[this.#below(codes.length)]];
    const merged = parts.filter(({ kommune }) => kommune === from);
    this.#rewrite('NavngivenVejKommunedel', merged, () => ({ kommune: to ?? null }));
    await this.#publish();
  }

  async #renumber(): Promise<void> {
    const parts = this.#some('NavngivenVejKommunedel', 0.2);
    this.#rewrite('NavngivenVejKommunedel', parts, (n) => ({
      vejkode: String((this.#day * 37 + n) % 10_000).padStart(4, '0'),
    }));
    await this.#publish();
  }

  /** Told before its date, in effect only then. */
  async #dated(): Promise<void> {
    const { clock } = this.#bench.deps;
    const rows = this.#some('NavngivenVej');
    const from = timeOf(clock.nowMs() + HOUR_MS);
    const open = rows.flatMap((row) => [
      { ...row, virkningTil: from },
      { ...row, vejnavn: `Fra ${from}`, virkningFra: from },
    ]);
    this.#change('NavngivenVej', rows, open);
    await this.#publish();
    const names = () =>
      this.#bench.column(`select name from address_road where name = 'Fra ${from}'`);
    expect(await names()).toEqual([]);
    this.#bench.advance(2 * HOUR_MS);
    this.#bench.shelf.renew('NavngivenVej');
    await this.#publish();
    expect(await names()).toHaveLength(rows.length);
  }

  async #unread(): Promise<void> {
    const ids = new Set(this.#some('Adresse', 0.005).map((row) => row['id_lokalId']));
    const fits = (row: TableRow) => ids.has(row['id_lokalId'] ?? null);
    breakRows(this.#bench, 'Adresse', { fits, cells: { status: 'hm' } });
    await this.#publish();
    this.#bench.shelf.spoil();
    this.#bench.shelf.renew('Adresse');
    if (this.#random() < 0.5) await this.#publish();
  }

  /** Most house numbers are missing: a guard refuses it, and a person may release it. */
  async #refused(isReleased: boolean): Promise<void> {
    const { shelf } = this.#bench;
    const rows = (of: SampleEntity, all: readonly TableRow[]) =>
      of === 'Husnummer' ? all.slice(0, Math.ceil(all.length / 5)) : all;
    shelf.spoil({ rows });
    shelf.renew('Husnummer');
    const outcome = await this.#bench.sync();
    expect(outcome.state, JSON.stringify(outcome)).toBe('refused');
    if (isReleased) await this.#publish();
    shelf.spoil();
    shelf.renew('Husnummer');
    if (this.#random() < 0.5) await this.#publish();
  }

  async #stepBack(): Promise<void> {
    await revertLayer(this.#bench.deps, ADDRESSES, { by: 'Prøve' }).catch((cause: unknown) => {
      // Two steps are kept; all of them may have been taken.
      expect(String(cause)).toMatch(/revert|back|step/i);
    });
  }
}

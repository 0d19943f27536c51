import type { Catalogue } from '../../layers/catalogue.ts';
import { ADDRESSES, ASSESSMENTS, BBR, CADASTRE, PROTECTION } from '../../layers/keys.ts';
import type { RegisterId } from '../../layers/keys.ts';
import { protectionMeaningsOf } from './protection/mirror.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { AddressesInMemory } from '../addresses/copy.ts';
import { joinedCopy } from '../../core/standing/standing.ts';
import type { CopyDeps, Moment } from '../../core/standing/standing.ts';
import type { Joins } from './answers.ts';

export interface JoinDeps extends Pick<CopyDeps, 'onExpired'> {
  readonly catalogue: Pick<Catalogue, 'registers'>;
}

type Copies = Readonly<
  Record<'cadastre' | 'locations' | 'assessments' | 'protection', PublishedCopy | null>
>;

/** Registers whose rows were read together with BBR's. */
export type RegisterJoins = Pick<Joins, keyof Copies | 'coverage'>;

export function registerJoins(deps: JoinDeps, copies: Copies, moment: Moment): RegisterJoins {
  const { registers } = deps.catalogue;
  const of = (mirror: RegisterId, copy: PublishedCopy | null) =>
    joinedCopy(deps, registers[mirror], { copy, ...moment });
  const coverage = registers[BBR].coverage ?? registers[CADASTRE].coverage ?? null;
  return {
    coverage: coverage && { name: coverage.name },
    cadastre: of(CADASTRE, copies.cadastre),
    locations: of(ADDRESSES, copies.locations),
    assessments: of(ASSESSMENTS, copies.assessments),
    protection: protectionOf(deps, copies.protection, of(PROTECTION, copies.protection)),
  };
}

function protectionOf(
  { catalogue }: JoinDeps,
  copy: PublishedCopy | null,
  provenance: Provenance | null,
): Joins['protection'] {
  if (copy === null || provenance === null) return null;
  const meanings = protectionMeaningsOf(catalogue);
  return { meanings, provedAtMs: copy.syncedAtMs, provenance };
}

/** null: they may not answer. The copy that the rows were joined with is judged. */
export function addressProvenance(
  deps: JoinDeps,
  { copy }: Pick<AddressesInMemory, 'copy'>,
  { nowMs, joined }: { readonly nowMs: number; readonly joined: JudgedLocations | null },
): Provenance | null {
  if (joined !== null && isJudgedAlike(joined.copy, copy)) return joined.provenance;
  return joinedCopy(deps, deps.catalogue.registers[ADDRESSES], { copy, nowMs, by: 'snapshot' });
}

interface JudgedLocations {
  readonly copy: PublishedCopy | null;
  readonly provenance: Provenance | null;
}

/** All that `standingOf` reads of a copy. */
function isJudgedAlike(one: PublishedCopy | null, other: PublishedCopy): boolean {
  return (
    one !== null &&
    one.syncedAtMs === other.syncedAtMs &&
    one.held === other.held &&
    (one.outdatedAtMs ?? null) === (other.outdatedAtMs ?? null)
  );
}

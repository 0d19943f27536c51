/** Whether the copy of the addresses may answer; DAR has no live question for these. */
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { TableRegister } from '../../layers/register.ts';
import type { AddressFinder } from './addresses.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import { answeringCopy, notHere } from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';

/** The next version replaces them whole. */
export interface AddressesInMemory {
  readonly finder: AddressFinder;
  /** The store's generation at publication (D19). */
  readonly generation: number;
  readonly copy: PublishedCopy;
}

export interface AddressDeps extends CopyDeps {
  readonly register: TableRegister;
  readonly memory: () => AddressesInMemory | null;
}

export interface AddressAnswer<T> extends AnswerFacts {
  readonly generation: number;
  readonly value: T;
}

export function openedIndex(deps: AddressDeps, times = 1) {
  const held = deps.memory();
  const copy = held?.copy ?? null;
  const provenance = answeringCopy(deps, deps.register, { copy, by: 'snapshot', times });
  if (held === null) throw notHere(deps.register);
  const { finder, generation } = held;
  const { unanswered, lacksJoined: isPartial = false } = held.copy;
  return { finder, facts: { generation, provenance: [provenance], isPartial }, unanswered };
}

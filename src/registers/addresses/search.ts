/** Only the index in memory answers. */
import type { Deadline } from '../../kernel/deadline.ts';
import { Failure } from '../../kernel/failures.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { mayBeUnread } from '../../geo/unanswered.ts';
import { accessOf } from './addresses.ts';
import type {
  AccessAddress,
  AddressIndex,
  SearchHit,
  SearchQuestion,
  SuggestQuestion,
  Suggestion,
} from './addresses.ts';
import { openedIndex } from './copy.ts';
import type { AddressAnswer, AddressDeps } from './copy.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import type { AreaNames, ReverseAreasAnswer } from '../../answers/answer.ts';
import type { ReverseAreas } from '../areas/reverse.ts';
import { isTornWith, refuseShort, refuseUnread, unreadAddress } from './unread.ts';

export interface AddressInAreas {
  readonly hit: SearchHit;
  /** Absent: no point. null: the areas could not be read. */
  readonly areas?: AreaNames | null;
  readonly successors?: readonly SearchHit[];
}

export interface AddressSearch {
  search(question: SearchQuestion): AddressAnswer<readonly SearchHit[]>;
  suggest(question: SuggestQuestion): AddressAnswer<readonly Suggestion[]>;
  /** Finds retired addresses too; fails with not_found. */
  find(id: string, deadline: Deadline): Promise<AddressAnswer<AddressInAreas>>;
}

export interface AddressSearchDeps extends AddressDeps {
  readonly areas: Pick<ReverseAreas, 'at'>;
}

/** All throw (503) when no copy may answer. */
export function createAddressSearch(deps: AddressSearchDeps): AddressSearch {
  return {
    search: (question) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      const value = finder.search(question);
      // A road or number that could not be read is not reported as missing (D143).
      refuseShort(unanswered, question, value);
      return { ...facts, value };
    },
    suggest: (question) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      const value = finder.suggest(question);
      if (value.length === 0) refuseUnread(unanswered, question.text);
      return { ...facts, value };
    },
    find: async (id, deadline) => {
      const { finder, facts, unanswered } = openedIndex(deps);
      const hit = hitOf(finder.addressIndex, id);
      if (hit === null) {
        if (mayBeUnread(unanswered, id.toLowerCase())) throw unreadAddress();
        throw unknownTo(deps.register.coverage, NO_ADDRESS);
      }
      const access = accessOf(hit.address);
      const successors = finder.addressIndex.successors(hit.address);
      if (isTornWith(unanswered, hit.address, successors)) throw unreadAddress();
      const found = await areasOf(deps.areas, access, deadline);
      return {
        ...facts,
        provenance: [...facts.provenance, ...(found?.provenance ?? [])],
        isPartial: facts.isPartial || found?.areas === null,
        value: { hit, ...(found && { areas: found.areas }), ...(successors && { successors }) },
      };
    },
  };
}

/** The register's ids are lower case. */
function hitOf(addressIndex: AddressIndex, given: string): SearchHit | null {
  const id = given.toLowerCase();
  const unit = addressIndex.unit(id);
  if (unit !== null) return { kind: 'unit', address: unit };
  const access = addressIndex.access(id);
  return access && { kind: 'access', address: access };
}

const NO_ADDRESS = {
  error: 'The register holds no address with this id.',
  errorDa: 'Registret har ingen adresse med dette id.',
};

/** null: no point. Unreadable areas leave the rest of the answer intact. */
async function areasOf(
  areas: AddressSearchDeps['areas'],
  { position }: AccessAddress,
  deadline: Deadline,
): Promise<{ areas: AreaNames | null; provenance: ReverseAreasAnswer['provenance'] } | null> {
  if (position === null) return null;
  const [answer] = (await areas.at([pointFromUtm32(position)], deadline)).value;
  return answer === undefined || answer instanceof Failure
    ? { areas: null, provenance: [] }
    : answer;
}

/** Signs in to a live source. User and password are secrets. */
export interface Login {
  readonly user: string;
  readonly password: string;
  /** Whether they may go over plain http. */
  readonly isPlainAllowed: boolean;
}

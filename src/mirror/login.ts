/** Credentials of a live source. User and password are secrets. */
export interface Login {
  readonly user: string;
  readonly password: string;
  /** Whether they may be sent over plain http. */
  readonly isPlainAllowed: boolean;
}

/** Of a live source. User and password are secrets. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly isPlainAllowed: boolean;
}

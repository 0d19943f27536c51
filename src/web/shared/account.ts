/** Who may be signed in. */

export interface Account {
  readonly name: string;
  readonly email: string | null;
  readonly tier: 'free' | 'pro' | 'business';
  readonly operator: boolean;
  readonly created_at: string;
}

export interface Session {
  readonly account: Account;
  readonly csrf_token: string;
}

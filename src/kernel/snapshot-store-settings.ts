export type SnapshotStoreSettings =
  | { readonly kind: 'directory'; readonly directory: string }
  | S3Settings;

export interface S3Settings {
  readonly kind: 's3';
  readonly bucket: string;
  /** Without slashes at its ends; empty: the whole bucket. */
  readonly prefix: string;
  /** Of MinIO and the like, with the bucket in the path; null: Amazon. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  /** Secrets: never logged. */
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

export interface Text {
  readonly en: string;
  readonly da: string;
}

export type Language = keyof Text;

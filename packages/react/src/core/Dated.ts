export type TimeName = 'at' | 'confirmedUntil' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'linkedAt' | 'undoUntil'

/** A record of the wire as applications see it: read-only, its times as `Date`. */
export type Dated<Item> = {
  readonly [Name in keyof Item]: Name extends TimeName
    ? Date
    : NonNullable<Item[Name]> extends readonly (infer Part)[]
      ? readonly Dated<Part>[]
      : Item[Name]
}

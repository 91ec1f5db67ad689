/** What a caller may say when a row or a class asks who is there. */
export type Access = {
  /** Above every rule. */
  isMaster: boolean
  /** Absent for guests. */
  userId?: string
  /** Every name that the caller answers to in an access list: `*`, the user id, `role:<name>` for each role held. */
  entities: readonly string[]
}

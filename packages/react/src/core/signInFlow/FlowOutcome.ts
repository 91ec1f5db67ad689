/** What came of a sign-in beside the user. */
export type FlowOutcome = {
  /** The account was made by this sign-in. */
  readonly isNew: boolean
  /** The wallet was added to the account; nobody was signed in anew. */
  readonly linked: boolean
  /** Two accounts were brought together; `undoMerge` takes it back until then. */
  readonly merged?: { readonly objectId: string; readonly username: string; readonly undoUntil: Date }
}

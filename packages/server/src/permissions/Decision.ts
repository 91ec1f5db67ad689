/**
 * Which objects of a class an operation may reach at all. `pointing`: those of which one of the fields names the user.
 * What the access list of each object says comes on top.
 */
export type Decision =
  | { rows: 'all' }
  | { rows: 'pointing'; fields: readonly string[]; userId: string }
  | { rows: 'none' }

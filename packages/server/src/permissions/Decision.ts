/**
 * Documents of a class that an operation can reach. `pointing`: those with the user in one of the fields. The access
 * list of each document applies in addition.
 */
export type Decision =
  | { rows: 'all' }
  | { rows: 'pointing'; fields: readonly string[]; userId: string }
  | { rows: 'none' }

/**
 * Tables of the server that are valid only in this database at this moment: challenges, the log of live queries with its
 * transaction numbers, the console's counters, links for operators, layouts of tables, shares of rate limits, marks for
 * replicas, failed sign-ins, notices of sign-outs. A backup leaves them out and does not lock them.
 */
export const passingTables = [
  'challenges',
  'email_codes',
  'changes',
  'live_classes',
  'live_continued',
  'live_marks',
  'live_state',
  'backups',
  'figures',
  'operator_links',
  'class_parts',
  'class_moves',
  'limit_windows',
  'limit_processes',
  'two_phase',
  'replica_marks',
  'failed_sign_ins',
  'oidc_sign_outs',
]

/** Reason why a case did not run: it needs something that this server or call does not offer. */
export class CaseSkipped extends Error {
  override name = 'CaseSkipped'
}

/** The attack ends early: interrupted, or out of requests. */
export class AttackStopped extends Error {
  override name = 'AttackStopped'
}

const name = 'countersign.impersonation'

export type Impersonated = { objectId: string; username: string; expiresAt: string }

/** Whom an operator acts as in this browser. The page reads it when it is drawn; the server knows it by the session. */
export const impersonation = {
  begin(user: Impersonated) {
    localStorage.setItem(name, JSON.stringify(user))
    // Nothing of the operator's own pages stays in memory while another user is looked at.
    window.location.assign('/')
  },
  get(): Impersonated | undefined {
    try {
      return (JSON.parse(localStorage.getItem(name) ?? 'null') as Impersonated | null) ?? undefined
    } catch {
      return undefined
    }
  },
  forget() {
    localStorage.removeItem(name)
  },
}

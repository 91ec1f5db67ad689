const name = 'countersign.impersonation'

export type Impersonated = { objectId: string; username: string; expiresAt: string }

/** User that an operator acts as in this browser. Read when the page is drawn; the server takes it from the session. */
export const impersonation = {
  begin(user: Impersonated) {
    localStorage.setItem(name, JSON.stringify(user))
    // The operator's own pages leave memory while another user is viewed.
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

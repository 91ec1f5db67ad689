import type { Actor, Answer, Sent } from './createTarget.ts'

/** User that the attack made. */
export type Account = Actor & { token: string; id: string; username: string; password: string; email?: string }

/** User to remove, with what opens it. */
export type MadeUser = { label: string; account?: Account; token?: string }

/** Remembers what responses show to have been made, so that it is removed. */
export function createLedger() {
  const users = new Map<string, MadeUser>()
  const files = new Set<string>()
  const devices = new Set<string>()
  const classes = new Set<string>()
  /** Names of the application's own classes, which are never removed. */
  const existing = new Set<string>()

  function note({ sent, status, body }: Answer): void {
    if (status >= 300) return
    const made = [body, body?.result, ...(Array.isArray(body) ? body.map((part) => part?.success) : [])]
    for (const each of made) {
      const id = each?.objectId
      if (typeof id !== 'string') continue
      const isUser = typeof each.sessionToken === 'string' || /^\/(classes\/_User|users)$/.test(sent.path)
      if (isUser && !users.has(id))
        users.set(id, { label: `user ${each.username ?? id}`, ...(each.sessionToken && { token: each.sessionToken }) })
      if (/^\/(installations|classes\/_Installation)/.test(sent.path)) devices.add(id)
    }
    const created = sent.method === 'POST' ? /^\/classes\/([A-Za-z]\w*)$/.exec(sent.path)?.[1] : undefined
    if (created !== undefined && !existing.has(created)) classes.add(created)
    if (sent.path.startsWith('/files/') && typeof body?.name === 'string') files.add(body.name)
  }

  return { made: { users, files, devices, classes, existing }, note }
}

/** Texts with the accounts that may see them. */
export function createSecrets() {
  const secrets = new Map<string, { label: string; readers: Set<string> }>()
  return {
    /** Registers a text that only these accounts may see. */
    add(label: string, text: string, ...readers: Actor[]): string {
      const variable = label.replaceAll(/[^A-Za-z]+/g, '_').replace(/_$/, '')
      secrets.set(text, { label: variable.toUpperCase(), readers: new Set(readers.map(({ name }) => name)) })
      return text
    },
    /** Replaces secrets by names of variables. */
    hide(text: string): string {
      let hidden = text
      for (const [secret, { label }] of secrets) hidden = hidden.replaceAll(secret, `$${label}`)
      return hidden
    },
    /** Names of secrets in a response that its caller neither may see nor sent. */
    findForeign({ sent, text }: Answer): string[] {
      if (sent.as.masterKey !== undefined) return []
      const written = `${sent.path} ${writeText(sent)}`
      return [...secrets]
        .filter(
          ([secret, { readers }]) => !readers.has(sent.as.name) && text.includes(secret) && !written.includes(secret),
        )
        .map(([, { label }]) => label)
    },
  }
}

function writeText({ body, headers }: Sent): string {
  const text = Buffer.isBuffer(body) ? '' : typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return `${text} ${JSON.stringify(headers ?? {})}`
}

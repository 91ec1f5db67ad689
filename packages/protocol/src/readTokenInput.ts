/** Items of a text that a person wrote as a list, separated by spaces, lines or commas. */
export function readList(text = ''): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))]
}

/** Names of a text that a person wrote as a list. Names of roles may have spaces: only commas separate them. */
export function readNames(text = ''): string[] {
  return [...new Set(text.split(',').flatMap((name) => name.trim() || []))]
}

/** A token as a person describes it, in a form or a command. */
type WrittenToken = {
  name: string
  scopes?: string | undefined
  addresses?: string | undefined
  /** Absent for one without end. */
  days?: number | undefined
}

export type TokenInput = { name: string; scopes: string[]; addresses?: string[]; expiresIn?: number }

/** Input of the endpoints that create tokens. */
export function readTokenInput({ name, scopes, addresses, days }: WrittenToken): TokenInput {
  const allowed = readList(addresses)
  return {
    name: name.trim(),
    scopes: readList(scopes),
    ...(allowed.length > 0 && { addresses: allowed }),
    ...(days !== undefined && { expiresIn: days * 24 * 3600 }),
  }
}

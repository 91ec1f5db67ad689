/** Profile of a person at a provider. `email` may be unverified. */
export type ProviderProfile = {
  id: string
  /** Label of the account: an address or a name. */
  label?: string
  email?: string
  /** The provider says that the person reads this mailbox. */
  emailVerified: boolean
  /** Time of the person's last sign-in at the provider, in seconds, if reported. */
  authTime?: number
}

export type Claims = { readonly [name: string]: unknown }

export function readClaims({
  sub,
  email,
  email_verified,
  preferred_username,
  name,
  auth_time,
}: Claims): ProviderProfile {
  // Apple writes it as a text.
  const isVerified = email_verified === true || email_verified === 'true'
  const profile = profileOf(sub, preferred_username ?? name, email, isVerified)
  return { ...profile, ...(typeof auth_time === 'number' && { authTime: auth_time }) }
}

const longestId = 500

const longestText = 320

/** Reads a provider's data. It is untrusted, so each value has a type and a limit. */
export function profileOf(id: unknown, name: unknown, email: unknown, isVerified: boolean): ProviderProfile {
  const key = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : id
  if (typeof key !== 'string' || key === '' || key.length > longestId || /\p{Cc}/u.test(key))
    throw new Error('The provider returned no user id.')
  const address = readText(email)
  const label = address ?? readText(name)
  return {
    id: key,
    ...(label !== undefined && { label }),
    ...(address !== undefined && { email: address }),
    emailVerified: address !== undefined && isVerified,
  }
}

function readText(value: unknown): string | undefined {
  const isUsable = typeof value === 'string' && value !== '' && value.length <= longestText && !/\p{C}/u.test(value)
  return isUsable ? value : undefined
}

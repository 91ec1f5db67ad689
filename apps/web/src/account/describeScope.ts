import { t } from '../i18n/translate.ts'

/** Scopes of OpenID Connect, in the words of the person who grants them. */
const words: Record<string, () => string> = {
  openid: () => t('Know who you are in this app'),
  profile: () => t('See your name and username'),
  email: () => t('See your email address'),
  roles: () => t('See your roles'),
  wallets: () => t('See your wallet addresses'),
  offline_access: () => t('Keep access until you end it'),
}

/** Describes a scope; one of an API that only its operator knows keeps its name. */
export function describeScope(scope: string): string {
  const known = Object.hasOwn(words, scope) ? words[scope] : undefined
  if (known) return known()
  const [, name = '', right] = /^(?:class:)?([A-Za-z]\w*):(read|write)$/.exec(scope) ?? []
  if (right === 'read') return t('Read your data: {name}', { name })
  if (right === 'write') return t('Change your data: {name}', { name })
  return t('Use {scope}', { scope })
}

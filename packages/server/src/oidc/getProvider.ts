import type { JWK, Provider } from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import { listSigningKeys } from './signingKeys.ts'

declare module '../context/Context.ts' {
  interface Services {
    oidc?: OidcService
  }
}

/** The provider, and the keys with which it was created. */
type OidcService = { provider: Promise<Provider>; kids: string; checked: number; secret: string }

/** Milliseconds after which a server looks for keys that another one made. */
const keysTrusted = 10_000

/** The provider for the present keys. It is loaded with its first use, so that a start does not wait for it. */
export async function getProvider(context: Context, isFresh = false): Promise<Provider> {
  const { services, clock, keys } = context
  const known = services.oidc
  const isKnown = known && known.secret === keys.secret && Math.abs(clock.ms() - known.checked) < keysTrusted
  if (isKnown && !isFresh) return known.provider
  const jwks = await listSigningKeys(context)
  const kids = jwks.map(({ kid }) => kid).join(' ')
  const present = services.oidc
  if (present && present.kids === kids && present.secret === keys.secret) {
    present.checked = clock.ms()
    return present.provider
  }
  const provider = load(context, jwks)
  const made = { provider, kids, checked: clock.ms(), secret: keys.secret }
  services.oidc = made
  // A database that was away for a moment must not fail every later request.
  provider.catch(() => {
    if (services.oidc === made) delete services.oidc
  })
  return provider
}

async function load(context: Context, jwks: JWK[]): Promise<Provider> {
  const { createProvider } = await import('./createProvider.ts')
  return createProvider(context, jwks)
}
